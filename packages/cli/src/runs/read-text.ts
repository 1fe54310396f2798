import { readIfThere } from '@flowgrad/files/node';

/** The text of a file that somebody named; that it is not there is an error. */
export async function readText(path: string): Promise<string> {
  const bytes = await readIfThere(path);
  if (bytes) return Buffer.from(bytes).toString('utf8');
  throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT', path });
}
