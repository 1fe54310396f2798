/** The commands, in the order of the help. */
import type { Command, Flags } from './command.ts';
import { bench } from './commands/bench.ts';
import { ceiling } from './commands/ceiling.ts';
import { demo } from './commands/demo.ts';
import { doctor } from './commands/doctor.ts';
import { evaluate } from './commands/evaluate.ts';
import { experiment } from './commands/experiment.ts';
import { generate } from './commands/generate.ts';
import { help } from './commands/help.ts';
import { report } from './commands/report.ts';
import { show } from './commands/show.ts';
import { stats } from './commands/stats.ts';
import { train } from './commands/train.ts';

/** Values of flags fit: they come from the flags that the command itself declares. */
const anyCommand = <F extends Flags>(command: Command<F>): Command => command as unknown as Command;

export const commands: readonly Command[] = [
  anyCommand(generate),
  anyCommand(stats),
  anyCommand(ceiling),
  anyCommand(train),
  anyCommand(evaluate),
  anyCommand(experiment),
  anyCommand(report),
  anyCommand(show),
  anyCommand(bench),
  anyCommand(demo),
  anyCommand(doctor),
  anyCommand(help),
];
