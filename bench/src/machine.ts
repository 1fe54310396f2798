/** What a figure was measured on: printed above every table. */
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';

export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${model}, ${availableParallelism()} cores, ${memory} GiB, ${platform()} ${arch()}, Node ${process.versions.node}`;
}
