import { expect, test } from 'vitest';
import { shareCores } from './share-cores.ts';

test.for([
  ['more runs than cores: one thread each', { cores: 4, left: 9 }, [1, 1, 1, 1]],
  ['as many runs as cores', { cores: 4, left: 4 }, [1, 1, 1, 1]],
  ['fewer runs share the cores', { cores: 8, left: 3 }, [3, 3, 2]],
  ['the last run has all of them', { cores: 8, left: 1 }, [8]],
  ['the last run has no more than a backend takes', { cores: 192, left: 1 }, [64]],
  ['none left', { cores: 8, left: 0 }, []],
  ['jobs as asked, the cores divided', { cores: 8, left: 9, jobs: 2 }, [4, 4]],
  ['more jobs than cores', { cores: 2, left: 9, jobs: 3 }, [1, 1, 1]],
  ['threads as asked, as many jobs as fit', { cores: 8, left: 9, threads: 3 }, [3, 3]],
  ['more threads than cores', { cores: 2, left: 9, threads: 4 }, [4]],
  ['both as asked', { cores: 2, left: 9, jobs: 3, threads: 5 }, [5, 5, 5]],
] as const)('%s', ([, options, shares]) => {
  expect(shareCores(options)).toEqual(shares);
});
