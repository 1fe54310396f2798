/// <reference types="@webgpu/types" />
import { expect, it } from 'vitest';
import type { Shader } from '../../core/shader.ts';
import { UniformRing } from './uniform-ring.ts';

type Params = Readonly<Record<'count' | 'scale', number> & Record<'extents', readonly number[]>>;

const shader: Shader<'x', Params> = {
  name: 'twist',
  path: 'twist.wgsl',
  code: '',
  buffers: [{ name: 'x', access: 'read_write' }],
  params: [
    { name: 'count', type: 'u32', offset: 0, count: 1 },
    { name: 'scale', type: 'f32', offset: 4, count: 1 },
    { name: 'extents', type: 'u32', offset: 16, count: 8 },
  ],
  paramsSize: 48,
  constants: [],
};

/** A ring of one slot, and what its last upload left in the device's buffer. */
function ringOfOne(): { ring: UniformRing; uploaded: Uint32Array } {
  const uploaded = new Uint32Array(64);
  const device = {
    createBuffer: () => ({}),
    queue: {
      writeBuffer: (_: unknown, offset: number, words: Uint32Array) => {
        uploaded.set(words, offset);
      },
    },
  } as unknown as GPUDevice;
  return { ring: new UniformRing(device, 1), uploaded };
}

it('a parameter that is left out does not compile', () => {
  const { ring } = ringOfOne();
  // @ts-expect-error There is no scale.
  expect(() => ring.add(shader, { count: 3, extents: [] })).toThrow();
});

it('no call sees values of an earlier one', () => {
  const { ring, uploaded } = ringOfOne();
  ring.add(shader, { count: 9, scale: 1, extents: [1, 2, 3, 4, 5, 6, 7, 8] });
  ring.upload();
  ring.add(shader, { count: 7, scale: 0, extents: [6, 5] });
  ring.upload();
  expect([...uploaded.subarray(0, 12)]).toEqual([7, 0, 0, 0, 6, 5, 0, 0, 0, 0, 0, 0]);
});
