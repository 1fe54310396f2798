import { setBackend } from '@flowgrad/tensor';
import { openBackend } from '@flowgrad/tensor/node';
import type { DeviceName, OpenBackend } from '@flowgrad/tensor/node';

export interface DeviceChoice {
  readonly device: DeviceName;
  readonly threads: number | undefined;
}

/** Opens the backend that was asked for, and closes it when `work` is done. */
export async function withBackend<T>(
  { device, threads }: DeviceChoice,
  work: (backend: OpenBackend) => Promise<T>,
): Promise<T> {
  const backend = await openBackend({ device, ...(threads !== undefined && { threads }) });
  const previous = setBackend(backend);
  try {
    return await work(backend);
  } finally {
    setBackend(previous);
    await backend.close();
  }
}
