import { readFileSync } from 'node:fs';

const manifest = new URL('../package.json', import.meta.url);

/** Of this package: all of Flowgrad's share it. */
export const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
