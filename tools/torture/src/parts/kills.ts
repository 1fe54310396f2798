/** SIGKILL at every file operation of a training run; then it is resumed, and nothing may differ or be left over. */
import type { Kill, Operation } from '../disk/faulty-disk.js';
import { flowgrad } from '../flowgrad.ts';
import { randomFrom } from '../random.ts';
import { demandRecovery, reference, resumeWords } from '../tiny-run.ts';
import { demand } from '../torture.ts';
import type { Case, Part } from '../torture.ts';

/** Before each operation, in the middle of those that can be done in part, and after the last. */
const momentsOf = (operations: readonly Operation[]): Kill[] => [
  ...operations.flatMap(({ k, divisible }): Kill[] => [
    { kind: 'kill', at: k, how: 'before' },
    ...(divisible ? [{ kind: 'kill', at: k, how: 'middle' } as const] : []),
  ]),
  { kind: 'kill', at: operations.length, how: 'after' },
];

const chains = { full: 60, sample: 1 };
const moments = { full: Infinity, sample: 7 };

export const kills: Part = {
  name: 'kills',
  about: 'SIGKILL at every file operation of a run, once and several times, then resume',
  cases: async ({ seed, size, folder }) => {
    const random = randomFrom(seed, 'kills');
    const { contents, operations } = await reference(folder);
    const all = momentsOf(operations);
    const chosen = random.some(all, moments[size]).map((moment) => [moment]);
    const several = Array.from({ length: chains[size] }, () =>
      Array.from({ length: 2 + random.below(3) }, () => random.pick(all)),
    );
    return [...chosen, ...several].map((killed): Case => ({
      name: `killed ${killed.map(({ at, how }) => `${how} operation ${at}`).join(', then ')}`,
      run: async (run) => {
        for (const fault of killed) {
          const ended = await flowgrad(resumeWords(), run, { disk: { fault } });
          // A resumed run has fewer operations, and may be done before its moment.
          demand(ended.signal === 'SIGKILL' || ended.code === 0, () => `failed by itself: ${ended.stderr}`);
        }
        await demandRecovery(run, contents);
      },
    }));
  },
};
