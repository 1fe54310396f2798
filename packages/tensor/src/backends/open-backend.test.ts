import { describe, expect, it } from 'vitest';
import { TensorError } from '../core/errors.ts';
import { setBackend } from '../core/backend.ts';
import { tensor } from '../create/create.ts';
import { openBackend, openDevice } from '../node/index.ts';
import { openBackendWith } from './open-backend.ts';
import type { BackendOpeners, OpenBackend } from './open-backend.ts';
import { referenceBackend } from './reference/reference-backend.ts';

const named = (name: string): OpenBackend =>
  Object.assign(referenceBackend(), { name, close: () => Promise.resolve() });

/** A platform with the given adapters, as far as opening goes. */
const platform = (adapters: readonly ('hardware' | 'software')[], fault?: Error): BackendOpeners => ({
  openWebGpu: async ({ adapter }) => {
    if (fault) throw fault;
    const found = adapters.find((each) => adapter === 'auto' || adapter === each);
    if (!found) throw new TensorError('openDevice', 'backend', 'expected a WebGPU adapter, got none');
    return named(`webgpu on ${found}`);
  },
  openWasm: () => Promise.resolve(named('wasm')),
});

const opened = async (...call: Parameters<typeof openBackendWith>): Promise<string> =>
  (await openBackendWith(...call)).name;

describe('openBackend', () => {
  it('takes the GPU where there is one, and wasm where there is none or only a slow imitation', async () => {
    expect(await opened(platform(['software', 'hardware']))).toBe('webgpu on hardware');
    expect(await opened(platform(['software']))).toBe('wasm');
    expect(await opened(platform([]))).toBe('wasm');
  });

  it('takes what it is told to', async () => {
    expect(await opened(platform(['hardware']), { device: 'wasm' })).toBe('wasm');
    expect(await opened(platform(['software']), { device: 'webgpu' })).toBe('webgpu on software');
    await expect(opened(platform([]), { device: 'webgpu' })).rejects.toThrow('got none');
  });

  it('hides no fault but a missing adapter', async () => {
    await expect(opened(platform([], new Error('driver crashed')))).rejects.toThrow('driver crashed');
  });

  it('lists the devices there are', async () => {
    await expect(opened(platform([]), { device: 'gpu' as 'auto' })).rejects.toThrow(
      "openBackend: expected device among auto, webgpu, wasm, got 'gpu'",
    );
    await expect(opened(platform([]), { divice: 'auto' } as object)).rejects.toThrow("got 'divice'");
  });

  it('opens on this machine what its adapters ask for', async () => {
    const hardware = await openDevice({ adapter: 'hardware' }).then(
      ({ device }) => {
        device.destroy();
        return true;
      },
      () => false,
    );
    const backend = await openBackend();
    expect(backend.name).toBe(hardware ? 'webgpu' : 'wasm');
    const previous = setBackend(backend);
    const x = tensor([1, 2]);
    expect(await x.toArray()).toEqual([1, 2]);
    x.dispose();
    setBackend(previous);
    await backend.close();
  });
});
