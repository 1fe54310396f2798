import { join } from 'node:path';
import { variantName, worldName } from '@flowgrad/evaluation';
import type { RunConfig } from '@flowgrad/evaluation';

/** Names that Windows keeps for devices, with any ending. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * A name as that of one folder, on every system. What some system reads as more than a name becomes `_`: separators and
 * control characters, dots and blanks at the end, and so `..` as a whole.
 */
export function folderName(name: string): string {
  const plain = name
    .replaceAll(/[/\\:*?"<>|\u0000-\u001f\u007f]/g, '_')
    .replace(/[. ]+$/, (end) => '_'.repeat(end.length));
  if (Buffer.byteLength(plain) > 200) {
    throw new Error(
      `run: expected a name of at most 200 bytes for a folder, got ${JSON.stringify(name.slice(0, 40))}… (choose one with --out)`,
    );
  }
  return reserved.test(plain) || plain === '' ? `_${plain}` : plain;
}

/** `<root>/<world>/<variant>/seed<n>-shuffling<n>`: runs of different kinds never meet. */
export function runPath(root: string, config: RunConfig): string {
  const { seed, shuffling } = config;
  const names = [worldName(config), variantName(config), `seed${seed}-shuffling${shuffling}`];
  return join(root, ...names.map(folderName));
}
