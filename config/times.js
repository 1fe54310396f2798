// @ts-check
/** `npm run times`: all of `npm test`, nothing cached, and then what each task took. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'flowgrad-times-'));
const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const begun = performance.now();
const { status } = spawnSync(`${scripts.test} --skip-nx-cache`, {
  shell: true,
  stdio: 'inherit',
  env: { ...process.env, FLOWGRAD_TIMES: folder },
});
const seconds = (performance.now() - begun) / 1000;

/** The last line of `times` is what the children of the shell took, theirs included: `1m50.248s 0m12.034s`. */
const rows = readdirSync(folder).map((file) => {
  const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
  const [task, wall] = lines[0].split(' ');
  const parts = [...(/(\d+)m([\d.]+)s (\d+)m([\d.]+)s/.exec(lines.at(-1) ?? '') ?? [])].slice(1).map(Number);
  return { task, wall: Number(wall), cpu: 60 * (parts[0] + parts[2]) + parts[1] + parts[3] };
});
rmSync(folder, { recursive: true });
rows.sort((a, b) => b.wall - a.wall);
console.log('\n| task | seconds | of a processor |\n| --- | ---: | ---: |');
for (const { task, wall, cpu } of rows) console.log(`| \`${task}\` | ${wall} | ${cpu.toFixed(0)} |`);
console.log(
  `| all of them | ${seconds.toFixed(0)} | ${rows.reduce((sum, { cpu }) => sum + cpu, 0).toFixed(0)} |`,
);
process.exitCode = status ?? 1;
