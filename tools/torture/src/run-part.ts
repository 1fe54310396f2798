/** Runs the cases of a part, some beside each other, and tells which the product did not survive. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Case, Part, Plan } from './torture.ts';

export interface Failure {
  readonly part: string;
  readonly name: string;
  readonly problem: string;
}

export interface PartResult {
  readonly name: string;
  readonly cases: number;
  readonly failures: readonly Failure[];
  readonly seconds: number;
}

export interface RunOptions {
  /** Only cases whose name contains it. */
  readonly only?: string;
  /** No case is begun later than this many seconds after the start. */
  readonly seconds?: number;
  readonly say?: (line: string) => void;
}

const secondsBetweenLines = 15;

export async function runPart(
  part: Part,
  plan: Omit<Plan, 'folder'> & { readonly folder: string },
  { only = '', seconds = Infinity, say = () => undefined }: RunOptions = {},
): Promise<PartResult> {
  const start = performance.now();
  const elapsed = (): number => (performance.now() - start) / 1000;
  const shared = join(plan.folder, part.name, 'shared');
  await mkdir(shared, { recursive: true });
  const cases = (await part.cases({ ...plan, folder: shared })).filter(({ name }) => name.includes(only));
  const failures: Failure[] = [];
  let [begun, done, said] = [0, 0, elapsed()];

  const attempt = async (attack: Case, i: number): Promise<void> => {
    const folder = join(plan.folder, part.name, String(i));
    await mkdir(folder);
    try {
      await attack.run(folder);
      await rm(folder, { recursive: true, force: true });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      failures.push({ part: part.name, name: attack.name, problem });
      say(`${part.name}: FAILED ${attack.name}: ${problem.split('\n', 1)[0]} (${folder})`);
    }
    done += attack.count ?? 1;
    if (elapsed() - said < secondsBetweenLines) return;
    said = elapsed();
    say(`${part.name}: ${begun} of ${cases.length} begun, ${failures.length} failed, ${said.toFixed(0)} s`);
  };
  const worker = async (): Promise<void> => {
    while (begun < cases.length && elapsed() < seconds) {
      const i = begun++;
      await attempt(cases[i], i);
    }
  };
  await Promise.all(Array.from({ length: part.beside ?? 2 }, worker));
  return { name: part.name, cases: done, failures, seconds: elapsed() };
}
