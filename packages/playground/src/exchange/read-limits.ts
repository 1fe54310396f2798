/**
 * How much is read of a file that anybody may have made. Sizes are compared before a byte is unpacked or parsed. A run of
 * this page takes some megabytes.
 */
const MiB = 2 ** 20;

export const readLimits = {
  /** Of files in a zip file. */
  files: 10_000,
  /** Of a file's name in a zip file, folders included. */
  nameBytes: 1024,
  /** Of JSON: configuration, position, metrics. */
  textBytes: 16 * MiB,
  /** Of any one file, unpacked. */
  fileBytes: 256 * MiB,
  /** Of a zip file, of all that it holds unpacked, and of a run's snapshots. */
  totalBytes: 1024 * MiB,
} as const;

/** 17825792 as '17 MiB', rounded up, so that what is too large never looks as if it were not. */
export const showBytes = (bytes: number): string =>
  bytes < MiB ? `${bytes} bytes` : `${Math.ceil(bytes / MiB)} MiB`;
