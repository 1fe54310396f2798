/** The commands, in the order of the help. */
import type { Command } from './command.ts';
import { bench } from './commands/bench.ts';
import { ceiling } from './commands/ceiling.ts';
import { demo } from './commands/demo.ts';
import { doctor } from './commands/doctor.ts';
import { evaluate } from './commands/evaluate.ts';
import { experiment } from './commands/experiment.ts';
import { generate } from './commands/generate.ts';
import { help } from './commands/help.ts';
import { importData } from './commands/import.ts';
import { playground } from './commands/playground.ts';
import { report } from './commands/report.ts';
import { show } from './commands/show.ts';
import { stats } from './commands/stats.ts';
import { sweep } from './commands/sweep.ts';
import { train } from './commands/train.ts';

/** Every command, in the order in which the help lists them. */
export const commands: readonly Command[] = [
  generate,
  importData,
  stats,
  ceiling,
  train,
  evaluate,
  experiment,
  sweep,
  report,
  show,
  playground,
  bench,
  demo,
  doctor,
  help,
];
