import { describe, expect, it } from 'vitest';
import { on } from '../../run-case.ts';
import { trainSmallGnn } from '../small-gnn.ts';
import { withBackend } from './open.ts';
import type { WebGpuOpener } from './open.ts';

export function describeDeterminism(opener: WebGpuOpener): void {
  describe('determinism', () => {
    it('two runs of a 50-step training of a small graph network give identical bits', async () => {
      const run = () => withBackend(opener, {}, (backend) => on(backend, () => trainSmallGnn(1, 51)));
      const [first, second] = [await run(), await run()];
      expect(first.losses[49]).toBeLessThan(first.losses[0] / 2);
      expect(second.losses).toEqual(first.losses);
      expect(second.state).toEqual(first.state);
    }, 120_000);
  });
}
