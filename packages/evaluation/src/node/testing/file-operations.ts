/** Something to do before every operation on files, for tests that cut a program off or hold it up at any of them. */
import type * as fs from 'node:fs/promises';

export const fileOperations: { before: (name: string) => Promise<void> | void } = { before: () => undefined };

type Anything = (...args: unknown[]) => Promise<unknown>;

const watched = ['lstat', 'mkdir', 'open', 'readdir', 'rename', 'rm', 'rmdir', 'stat', 'unlink'] as const;
const ofHandles = ['writeFile', 'sync', 'read', 'stat'] as const;

/** For `vi.mock('node:fs/promises', …)`. */
export function watchFileOperations(original: typeof fs): typeof fs {
  const wrap = (name: string, call: Anything): Anything => {
    return async (...args) => {
      await fileOperations.before(name);
      return call(...args);
    };
  };
  const changed: Record<string, Anything> = {};
  for (const name of watched) changed[name] = wrap(name, original[name] as Anything);
  changed['open'] = async (...args) => {
    await fileOperations.before('open');
    const handle = await (original.open as Anything)(...args);
    const methods = handle as Record<string, Anything>;
    for (const name of ofHandles) methods[name] = wrap(name, methods[name].bind(handle));
    // The system closes the files of a process that is killed.
    const close = methods['close'].bind(handle);
    methods['close'] = async () => {
      await close();
      await fileOperations.before('close');
    };
    return handle;
  };
  return { ...original, ...changed };
}
