/** Everything, again and again in one process: memory stays where it is. */
import { join } from 'node:path';
import { startChild } from '../child.ts';
import { scripts } from '../flowgrad.ts';
import { growthOf } from '../soak/flat.ts';
import { demand } from '../torture.ts';
import type { Part } from '../torture.ts';

const program = join(scripts, 'soak/soak-process.js');
/** Mebibytes. A device that stays behind keeps most of one, and there are three in a round. */
const most = { perRound: 0.1, altogether: 16 };
/** The libraries' own pools fill slowly: a slope says something from here on. */
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
          const series = await soaked(folder, seconds);
          console.log(`soak: MiB after each round: ${thinned(series).map(Math.round).join(' ')}`);
          const { settled, last, perRound } = growthOf(series);
          const isFlat =
            last - settled <= most.altogether && (series.length < roundsOfSlope || perRound <= most.perRound);
          demand(
            isFlat,
            () => `${settled.toFixed(0)} → ${last.toFixed(0)} MiB, ${perRound.toFixed(3)} a round`,
          );
        },
      },
    ];
  },
};

const thinned = (series: readonly number[]): number[] => {
  const step = Math.ceil(series.length / 40);
  return series.filter((_, i) => i % step === 0 || i === series.length - 1);
};

async function soaked(folder: string, seconds: number): Promise<number[]> {
  const words = [process.execPath, program, folder, String(seconds), String(leastRounds)];
  const { code, signal, stdout, stderr } = await startChild(words, { seconds: seconds + 600 }).ended;
  demand(code === 0, () => `it ended with ${code ?? signal}: ${stderr.slice(0, 500)}`);
  const lines = stdout.trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { readonly mebibytes: number }).mebibytes);
}
