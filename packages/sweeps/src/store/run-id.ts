/** What identifies a run: everything its numbers depend on, and nothing else. */
import type { RunConfig } from '@flowgrad/evaluation';
import { checksumOf } from '@flowgrad/evaluation/node';

/** The checksum of a configuration, in whatever order its parts stand. */
export const runId = (config: RunConfig): string => checksumOf(sortedText(config));

function sortedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${sortedText(each)}`)
    .join()}}`;
}
