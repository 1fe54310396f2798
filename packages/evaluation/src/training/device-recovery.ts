import { DeviceLostError } from '@flowgrad/tensor';

/** Work that outlives its device. */
export interface DeviceRecovery {
  /** Tries again when the device is lost, after `recover`. */
  run<T>(this: void, work: () => Promise<T>): Promise<T>;
  /** What was reached so far is kept, and losses are counted from here. */
  kept(this: void): void;
}

/** `recover` is told how often the device was lost since something was kept: it makes another one, or throws to give up. */
export function deviceRecovery(
  recover: (lost: DeviceLostError, losses: number) => Promise<void> | void,
): DeviceRecovery {
  let losses = 0;
  return {
    run: async (work) => {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof DeviceLostError)) throw error;
          losses += 1;
          await recover(error, losses);
        }
      }
    },
    kept: () => {
      losses = 0;
    },
  };
}
