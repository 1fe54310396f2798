/** One clear line for what went wrong. */
import { TensorError } from '@flowgrad/tensor';
import { UsageError } from './usage-error.ts';

const systemErrors: Readonly<Record<string, string>> = {
  ENOSPC: 'expected room on the disk, got none (free some, then go on with --resume)',
  EDQUOT: 'expected room on the disk, got a quota that is used up (free some, then go on with --resume)',
  EACCES: 'expected a place that this user may read and write, got permission denied',
  EPERM: 'expected a place that this user may read and write, got permission denied',
  EIO: 'expected a disk that can be read and written, got an error of the device',
  EROFS: 'expected a place that can be written to, got a read-only file system',
  ENOTDIR: 'expected a folder, got a file on the way',
  EISDIR: 'expected a file, got a folder',
  EEXIST: 'expected a folder or a free name, got a file (move it away)',
  ENOENT: 'expected a file or folder, got none',
  ENOTEMPTY: 'expected a file, got a folder with something in it (move it away)',
  ELOOP: 'expected a file or folder, got links that lead nowhere',
  ENAMETOOLONG: 'expected a shorter name',
  EMFILE: 'expected to open another file, got too many open ones (ulimit -n)',
};

export interface Explanation {
  readonly line: string;
  /** Whether it is something that users meet: others come with a hint at --verbose. */
  readonly isExpected: boolean;
}

export function explainError(where: string, error: unknown): Explanation {
  if (error instanceof UsageError) return { line: error.message, isExpected: true };
  const { code, path } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && Object.hasOwn(systemErrors, code)) {
    const at = path === undefined ? '' : `${withoutTemporaryName(path)}: `;
    return { line: `${where}: ${at}${systemErrors[code]} (${code})`, isExpected: true };
  }
  if (error instanceof Error) {
    // Errors of the house say what they expected; anything else came from somewhere else.
    const isExpected = error instanceof TensorError || /expected/.test(error.message);
    return { line: error.message || error.name, isExpected };
  }
  return { line: String(error), isExpected: false };
}

/** Files are written beside their place first; nobody asked for that name. */
const withoutTemporaryName = (path: string): string =>
  path
    .replace(/\.tmp-[0-9a-f]{32}-\d+-/, '')
    .replace(/\.tmp-[^/\\]*/, '')
    .replace(/\/\.(?=[^/]*$)/, '/');
