/** Finds an installed package's folder without importing it. */
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Looked for from this package, then from the working directory: optional packages are installed by the user. */
export function findPackage(name: string): string | undefined {
  const places = [import.meta.url, join(process.cwd(), 'package.json')].flatMap(
    (from) => createRequire(from).resolve.paths(name) ?? [],
  );
  const found = places
    .map((place) => join(place, name))
    .find((folder) => existsSync(join(folder, 'package.json')));
  return found && realpathSync(found);
}
