/** Files as one zip file. They are stored as they are: numbers of a training hardly become smaller. */
import { strToU8, zipSync } from 'fflate';

export function writeZip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === 'string' ? strToU8(content) : content,
  ]);
  return zipSync(Object.fromEntries(entries) as Record<string, Uint8Array>, { level: 0 });
}
