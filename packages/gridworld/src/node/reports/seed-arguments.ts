import { parseArgs } from 'node:util';

/** The seeds named by `--first-seed` and `--seeds`; 1 … 20 without. */
export function seedsFromArguments(): number[] {
  const { values } = parseArgs({
    options: { 'first-seed': { type: 'string', default: '1' }, seeds: { type: 'string', default: '20' } },
  });
  return Array.from({ length: Number(values.seeds) }, (_, i) => Number(values['first-seed']) + i);
}
