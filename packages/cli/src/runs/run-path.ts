import { join } from 'node:path';
import { variantName, worldName } from '@flowgrad/evaluation';
import type { RunConfig } from '@flowgrad/evaluation';

/** `<root>/<world>/<variant>/seed<n>-shuffling<n>`: runs of different kinds never meet. */
export function runPath(root: string, config: RunConfig): string {
  const folder = (name: string): string => name.replaceAll(/[/\\:*?"<>|]/g, '_');
  const { seed, shuffling } = config;
  return join(
    root,
    folder(worldName(config)),
    folder(variantName(config)),
    `seed${seed}-shuffling${shuffling}`,
  );
}
