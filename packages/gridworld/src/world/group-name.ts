import { DYNAMICS } from './latent-direction.ts';
import type { DynamicsName } from './latent-direction.ts';
import { checkWorldParameters } from './parameters.ts';
import type { WorldParameters } from './parameters.ts';

const SHAPE = 'DYNAMICS-SZ<N>-STP<T>-<NDRP|EDRP>-STD<σ>';
const EXAMPLE = 'SINE-SZ32-STP16-NDRP-STD0.2';

/** The paper drops a tenth of the nodes or a fifth of the edges. */
const DROPS = {
  NDRP: { nodeDrop: 0.1, edgeDrop: 0 },
  EDRP: { nodeDrop: 0, edgeDrop: 0.2 },
} as const;

const PAPER_ROLLOUTS = 10;
const DYNAMICS_NAMES = Object.keys(DYNAMICS) as DynamicsName[];

/** The 24 dataset groups of the paper, in the order of its table. */
export const DATASET_GROUPS: readonly string[] = [
  'SZ32-STP16-NDRP',
  'SZ32-STP16-EDRP',
  'SZ64-STP32-NDRP',
].flatMap((map) =>
  DYNAMICS_NAMES.flatMap((dynamics) => ['0.2', '0.5'].map((sigma) => `${dynamics}-${map}-STD${sigma}`)),
);

/**
 * The parameters that a dataset group's name stands for. Any name of that shape will do, not only the paper's
 * 24: `LINE-SZ16-STP8-EDRP-STD0.3`.
 */
export function parseGroupName(name: string): WorldParameters {
  const parts = String(name).split('-');
  if (parts.length !== 5) {
    throw new RangeError(
      `parseGroupName: expected five parts, ${SHAPE}, got ${parts.length} in '${name}' (for example ${EXAMPLE})`,
    );
  }
  const [dynamics, size, steps, drops, sigma] = parts;
  const parameters = {
    name,
    latentDirection: DYNAMICS[oneOf(name, 'the dynamics (part 1)', dynamics, DYNAMICS_NAMES)],
    size: numberAfter(name, 'the size (part 2)', 'SZ', size, /^\d+$/),
    steps: numberAfter(name, 'the number of steps (part 3)', 'STP', steps, /^\d+$/),
    ...DROPS[oneOf(name, 'the drops (part 4)', drops, ['NDRP', 'EDRP'] as const)],
    sigma: numberAfter(name, 'sigma (part 5)', 'STD', sigma, /^\d+(\.\d+)?$/),
    rollouts: PAPER_ROLLOUTS,
  };
  return checkWorldParameters(`parseGroupName: '${name}'`, parameters);
}

function oneOf<Choice extends string>(
  name: string,
  what: string,
  part: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((candidate) => candidate === part);
  if (choice === undefined) {
    throw new RangeError(
      `parseGroupName: expected ${what} to be ${choices.join(', ')}, got '${part}' in '${name}'`,
    );
  }
  return choice;
}

function numberAfter(name: string, what: string, prefix: string, part: string, digits: RegExp): number {
  const number = part.slice(prefix.length);
  if (!part.startsWith(prefix) || !digits.test(number)) {
    throw new RangeError(`parseGroupName: expected ${what} as ${prefix}<number>, got '${part}' in '${name}'`);
  }
  return Number(number);
}
