import { describe, expect, it } from 'vitest';
import { PAPER_STATISTICS } from '../paper/paper-statistics.ts';
import { DATASET_GROUPS, parseGroupName } from './group-name.ts';
import { DYNAMICS } from './latent-direction.ts';

describe('parseGroupName', () => {
  it('reads the names of the paper’s 24 groups, which have statistics', () => {
    expect(new Set(DATASET_GROUPS)).toEqual(new Set(PAPER_STATISTICS.keys()));
    for (const name of DATASET_GROUPS) expect(parseGroupName(name).name).toBe(name);
  });

  it('reads what the parts of a name stand for', () => {
    expect(parseGroupName('SINE-SZ64-STP32-NDRP-STD0.5')).toEqual({
      name: 'SINE-SZ64-STP32-NDRP-STD0.5',
      latentDirection: DYNAMICS.SINE,
      size: 64,
      steps: 32,
      nodeDrop: 0.1,
      edgeDrop: 0,
      sigma: 0.5,
      rollouts: 10,
    });
  });

  it('reads names of the same shape that the paper does not have', () => {
    expect(parseGroupName('LINE-SZ16-STP8-EDRP-STD0.3')).toMatchObject({
      latentDirection: DYNAMICS.LINE,
      size: 16,
      steps: 8,
      nodeDrop: 0,
      edgeDrop: 0.2,
      sigma: 0.3,
    });
    expect(parseGroupName('HISTORY-SZ1-STP0-NDRP-STD1')).toMatchObject({ size: 1, steps: 0, sigma: 1 });
  });

  it.each([
    [
      'CURVE-SZ32-STP16-NDRP-STD0.2',
      "the dynamics (part 1) to be LINE, SINE, LOCATION, HISTORY, got 'CURVE'",
    ],
    ['line-SZ32-STP16-NDRP-STD0.2', "the dynamics (part 1) to be LINE, SINE, LOCATION, HISTORY, got 'line'"],
    ['LINE-32-STP16-NDRP-STD0.2', "the size (part 2) as SZ<number>, got '32'"],
    ['LINE-SZ-STP16-NDRP-STD0.2', "the size (part 2) as SZ<number>, got 'SZ'"],
    ['LINE-SZ3.5-STP16-NDRP-STD0.2', "the size (part 2) as SZ<number>, got 'SZ3.5'"],
    ['LINE-SZ0-STP16-NDRP-STD0.2', 'size to be an integer in 1..1024, got 0'],
    ['LINE-SZ32-STEP16-NDRP-STD0.2', "the number of steps (part 3) as STP<number>, got 'STEP16'"],
    ['LINE-SZ32-STP2000-NDRP-STD0.2', 'steps to be an integer in 0..1024, got 2000'],
    ['LINE-SZ32-STP16-XDRP-STD0.2', "the drops (part 4) to be NDRP, EDRP, got 'XDRP'"],
    ['LINE-SZ32-STP16-NDRP-STD', "sigma (part 5) as STD<number>, got 'STD'"],
    ['LINE-SZ32-STP16-NDRP-STD0', 'sigma to be a number in 0.001..1000, got 0'],
    ['LINE-SZ32-STP16-NDRP', 'five parts, DYNAMICS-SZ<N>-STP<T>-<NDRP|EDRP>-STD<σ>, got 4'],
    ['', 'five parts, DYNAMICS-SZ<N>-STP<T>-<NDRP|EDRP>-STD<σ>, got 1'],
  ])('says which part of %j is wrong', (name, message) => {
    expect(() => parseGroupName(name)).toThrow(message);
    expect(() => parseGroupName(name)).toThrow(`'${name}'`);
  });
});
