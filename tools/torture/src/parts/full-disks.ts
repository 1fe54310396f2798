/** A disk that is full from some write on, or at one write alone; then there is room again, and nothing may differ. */
import { flowgrad } from '../flowgrad.ts';
import { randomFrom } from '../random.ts';
import { demandOurWords, demandRecovery, reference, resumeWords } from '../tiny-run.ts';
import { demand } from '../torture.ts';
import type { Case, Part } from '../torture.ts';

const atMost = { full: Infinity, sample: 4 };

export const fullDisks: Part = {
  name: 'full-disks',
  about: 'ENOSPC, with half of the data written, at every write of a run, then resume',
  cases: async ({ seed, size, folder }) => {
    const { contents, operations } = await reference(folder);
    const moments = operations
      .filter(({ writes }) => writes)
      .flatMap(({ k }) => [true, false].map((once) => ({ at: k, once })));
    return randomFrom(seed, 'full-disks')
      .some(moments, atMost[size])
      .map(({ at, once }): Case => ({
        name: `no room ${once ? 'for' : 'from'} operation ${at}`,
        run: async (run) => {
          const ended = await flowgrad(resumeWords(), run, { disk: { fault: { kind: 'full', at, once } } });
          // One write that fails may be one that the run can do without.
          if (ended.code !== 0 || !once) {
            demandOurWords(ended);
            demand(/room on the disk.*ENOSPC/.test(ended.stderr), () => `said ${ended.stderr}`);
          }
          await demandRecovery(run, contents);
        },
      }));
  },
};
