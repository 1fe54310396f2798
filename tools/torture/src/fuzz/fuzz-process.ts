/**
 * Feeds a reader with a block of inputs, in a process of its own that a hang or a lack of memory may take down:
 * `node fuzz-process.js <bundle of the page's readers> <run> <reader> <seed> <first> <count>`. Prints what is wrong as lines of JSON.
 */
import { randomFrom } from '../random.ts';
import { isOurError } from './our-error.ts';
import { loadPageReaders } from './page-readers.ts';
import { readersOf } from './readers.ts';

const [bundle, run, name, ...numbers] = process.argv.slice(2);
const [seed, first, count] = numbers.map(Number);
const mostSeconds = 5;
const mostMebibytes = 250;

const reader = readersOf(await loadPageReaders(bundle), run)[name];
const resident = (): number => process.resourceUsage().maxRSS / 1024;
const report = (input: number, problem: string): void =>
  console.log(JSON.stringify({ input, problem: problem.slice(0, 500) }));

/** The most that the process ever had, less what the first inputs took to load and compile everything. */
let before = 0;
for (let input = first; input < first + count; input++) {
  const read = await reader.next(randomFrom(seed, `${name} ${input}`));
  if (input < first + 20) before = resident();
  const start = process.cpuUsage();
  try {
    await read();
  } catch (error) {
    if (!isOurError(error)) report(input, String(error instanceof Error ? error.stack : error));
  }
  // Not by the clock, which goes on while other processes have the processor.
  const { user, system } = process.cpuUsage(start);
  const seconds = (user + system) / 1e6;
  if (seconds > mostSeconds) report(input, `it took ${seconds.toFixed(1)} s`);
  if (input % 500 !== 0 && count > 500) continue;
  const now = resident();
  if (now - before <= mostMebibytes) continue;
  report(input, `memory grew from ${before.toFixed(0)} to ${now.toFixed(0)} MiB`);
  break;
}
console.log(JSON.stringify({ done: count }));
