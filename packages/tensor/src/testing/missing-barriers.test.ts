import { describe, expect, it } from 'vitest';
import { shaders } from '../backends/webgpu/generated/shaders.ts';
import type { Shader } from '../core/shader.ts';
import { writtenAt } from '../backends/webgpu/compile-messages.ts';
import { missingBarriers } from './missing-barriers.ts';

const barrier = 'workgroupBarrier();';
const all = Object.entries<Shader<string, never>>(shaders).map(([name, shader]) => ({ name, shader }));

/** The lines of a shader with a barrier. */
const barriersOf = ({ code }: Shader<string, never>): number[] =>
  code.split('\n').flatMap((text, i) => (text.includes(barrier) ? [i + 1] : []));

const without = ({ code }: Shader<string, never>, line: number): string =>
  code
    .split('\n')
    .map((text, i) => (i + 1 === line ? text.replace(barrier, '') : text))
    .join('\n');

it.for(all)('$name has a barrier wherever invocations read what others wrote', ({ shader }) => {
  expect(missingBarriers(shader.code)).toEqual([]);
});

it('every barrier is needed, and missed if it is not there', () => {
  const places = all.flatMap(({ shader }) => barriersOf(shader).map((line) => ({ shader, line })));
  expect(places.length).toBeGreaterThan(30);
  const unmissed = places
    .filter(({ shader, line }) => missingBarriers(without(shader, line)).length === 0)
    .map(({ shader, line }) => writtenAt(shader, line));
  // Functions that shaders share cannot know that here nothing was shared before them, or will be after them.
  expect(unmissed.filter((place) => !place.startsWith('wgsl/'))).toEqual([]);
  expect(unmissed.length).toBeLessThan(places.length / 4);
});

describe('a race', () => {
  const shader = (body: string, more = ''): string => `
    var<workgroup> shared_values: array<f32, 64>;
    var<workgroup> counter: atomic<u32>;
    @group(0) @binding(0) var<storage, read_write> y: array<f32>;
    ${more}
    @compute @workgroup_size(64)
    fn main(@builtin(local_invocation_index) local: u32) {
      let other = 63u - local;
      ${body}
    }`;

  it.for([
    [
      'a read of what another wrote',
      'shared_values[local] = 1.0; y[local] = shared_values[other];',
      /read, .* wrote/,
    ],
    [
      'a write of what another reads',
      'y[local] = shared_values[other]; shared_values[local] = 2.0;',
      /written, .* read/,
    ],
    [
      'from one turn of a loop to the next',
      'for (var i = 0u; i < 4u; i++) { y[i] = shared_values[other]; workgroupBarrier(); shared_values[local] = 1.0; }',
      /read, .* wrote/,
    ],
    [
      'an element that all name alike',
      'if (local == 0u) { shared_values[0] = 1.0; } y[local] = shared_values[0];',
      /read/,
    ],
    [
      'a barrier on one way only',
      'shared_values[local] = 1.0; if (y[0] > 0.0) { workgroupBarrier(); } y[local] = shared_values[other];',
      /read/,
    ],
    [
      'a barrier for storage, which is another',
      'shared_values[local] = 1.0; storageBarrier(); y[local] = shared_values[other];',
      /read/,
    ],
  ] as const)('is found: %s', ([, body, message]) => {
    expect(missingBarriers(shader(body)).join()).toMatch(message);
  });

  it('is found in functions and through pointers', () => {
    const more =
      'fn put(p: ptr<workgroup, array<f32, 64>>, at: u32) { (*p)[at] = 1.0; } fn get(at: u32) -> f32 { return shared_values[at]; }';
    expect(missingBarriers(shader('put(&shared_values, local); y[local] = get(other);', more))).toHaveLength(
      1,
    );
    expect(
      missingBarriers(shader('put(&shared_values, local); workgroupBarrier(); y[local] = get(other);', more)),
    ).toEqual([]);
  });

  it.for([
    ['an own element', 'shared_values[local] = 1.0; y[local] = shared_values[local];'],
    ['atomics', 'atomicAdd(&counter, 1u); y[local] = f32(atomicLoad(&counter));'],
    ['a barrier between', 'shared_values[local] = 1.0; workgroupBarrier(); y[local] = shared_values[other];'],
    [
      'a uniform load',
      'shared_values[local] = 1.0; let all = workgroupUniformLoad(&shared_values); y[local] = all[other];',
    ],
    [
      'halves that do not meet',
      'if (local < 32u) { let far = shared_values[local + 32u]; shared_values[local] += far; }',
    ],
  ] as const)('is none: %s', ([, body]) => {
    expect(missingBarriers(shader(body))).toEqual([]);
  });
});
