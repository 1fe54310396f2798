import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The lines of metrics.jsonl without how long each epoch took. */
export async function metricsOf(folder: string): Promise<string[]> {
  const lines = (await readFile(join(folder, 'metrics.jsonl'), 'utf8')).trim().split('\n');
  return lines.map((line) => line.replace(/,"seconds":[^,}]*/, ''));
}
