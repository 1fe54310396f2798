/** Mutated files, folders and links: every reader takes them or says what is wrong, at once and in little memory. */
import { join } from 'node:path';
import { startChild } from '../child.ts';
import { scripts } from '../flowgrad.ts';
import { bundlePageReaders, loadPageReaders } from '../fuzz/page-readers.ts';
import { readersOf } from '../fuzz/readers.ts';
import { reference } from '../tiny-run.ts';
import { demand } from '../torture.ts';
import type { Case, Part } from '../torture.ts';

const program = join(scripts, 'fuzz/fuzz-process.js');
const block = 20_000;
const share = { full: 1, sample: 0.002 };
const seconds = 600;

export const fuzz: Part = {
  name: 'fuzz',
  about: 'mutated safetensors, zip files, runs, datasets and links',
  cases: async ({ seed, size, folder }) => {
    const bundle = await bundlePageReaders(folder);
    const run = join((await reference(folder)).folder, 'run');
    const readers = Object.entries(readersOf(await loadPageReaders(bundle), run));
    return readers.flatMap(([name, { count }]) => {
      const all = Math.max(1, Math.round(count * share[size]));
      return Array.from({ length: Math.ceil(all / block) }, (_, i): Case => {
        const [first, inputs] = [i * block, Math.min(block, all - i * block)];
        return {
          name: `${name} from ${first}`,
          count: inputs,
          run: () => fed([bundle, run, name, String(seed), String(first), String(inputs)]),
        };
      });
    });
  },
};

async function fed(words: readonly string[]): Promise<void> {
  const node = [process.execPath, '--max-old-space-size=1024', program];
  const { code, signal, stdout, stderr } = await startChild([...node, ...words], { seconds }).ended;
  const problems = stdout.split('\n').filter((line) => line.includes('"problem"'));
  demand(problems.length === 0, () => `${problems.length} inputs: ${problems.slice(0, 3).join('\n')}`);
  demand(stdout.includes('"done"'), () => `it ended with ${code ?? signal}: ${stderr.slice(0, 500)}`);
}
