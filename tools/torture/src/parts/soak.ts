/** Everything, again and again in one process: memory stays where it is. */
import { join } from 'node:path';
import { startChild } from '../child.ts';
import { scripts } from '../flowgrad.ts';
import { growthOf } from '../soak/flat.ts';
import type { Round } from '../soak/flat.ts';
import { demand } from '../torture.ts';
import type { Part } from '../torture.ts';

const program = join(scripts, 'soak/soak-process.js');
/** Mebibytes. A device that stays behind keeps most of one, and there are three in a round. */
const most = { perRound: 0.1, altogether: { full: 16, sample: 48 } };
/** The libraries' own pools fill slowly: before that only a large leak shows, and what can be counted. */
const roundsOfSlope = 100;
const leastRounds = 8;

export const soak: Part = {
  name: 'soak',
  about: 'train, resume, evaluate, report, open and close devices in one process: flat memory',
  cases: async ({ size, minutes }) => {
    const seconds = size === 'full' ? 60 * minutes : 0;
    return [
      {
        name: `${seconds} seconds or ${leastRounds} rounds`,
        run: async (folder) => {
          const rounds = await soaked(folder, seconds);
          const series = rounds.map(({ mebibytes }) => mebibytes);
          console.log(`soak: MiB after each round: ${thinned(series).map(Math.round).join(' ')}`);
          for (const what of ['buffers', 'handles'] as const) {
            const [settled, last] = [rounds[leastRounds / 2][what], rounds.at(-1)?.[what] ?? 0];
            demand(last <= settled, `${what}: ${settled} → ${last}`);
          }
          const { settled, last, perRound } = growthOf(series);
          const isFlat = series.length < roundsOfSlope || perRound <= most.perRound;
          const words = `${settled.toFixed(0)} → ${last.toFixed(0)} MiB, ${perRound.toFixed(3)} a round`;
          demand(isFlat && last - settled <= most.altogether[size], words);
        },
      },
    ];
  },
};

const thinned = (series: readonly number[]): number[] => {
  const step = Math.ceil(series.length / 40);
  return series.filter((_, i) => i % step === 0 || i === series.length - 1);
};

async function soaked(folder: string, seconds: number): Promise<Round[]> {
  const words = [process.execPath, program, folder, String(seconds), String(leastRounds)];
  const { code, signal, stdout, stderr } = await startChild(words, { seconds: seconds + 600 }).ended;
  demand(code === 0, () => `it ended with ${code ?? signal}: ${stderr.slice(0, 500)}`);
  const lines = stdout.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Round);
}
