/** A disk that is full from some write on, or at one write alone; then there is room again, and nothing may differ. */
import { flowgrad } from '../flowgrad.ts';
import { randomFrom } from '../random.ts';
import {
  contentsOf,
  demandOurWords,
  demandRecovery,
  demandSame,
  reference,
  resumeWords,
} from '../tiny-run.ts';
import type { Contents } from '../tiny-run.ts';
import { demand } from '../torture.ts';
import type { Case, Part } from '../torture.ts';

const atMost = { full: Infinity, sample: 4 };

const withoutOwner = (contents: Contents): Contents =>
  new Map([...contents].filter(([path]) => !/^run\/(manifest|lock)-[^/]*$/.test(path)));

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
          if (ended.code === 0) {
            // It was done, and had nothing left to write but that nobody is in its folder any more.
            demandSame(withoutOwner(await contentsOf(run)), withoutOwner(contents));
          } else {
            demandOurWords(ended);
            demand(/room on the disk.*ENOSPC/.test(ended.stderr), () => `said ${ended.stderr}`);
          }
          await demandRecovery(run, contents);
        },
      }));
  },
};
