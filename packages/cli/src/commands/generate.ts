import { writeDataFolder } from '@flowgrad/data/node';
import { runFields } from '@flowgrad/evaluation';
import { datasetStatistics, generateDataset } from '@flowgrad/gridworld';
import { writeDataset, writeTextLayout } from '@flowgrad/gridworld/node';
import { defineCommand } from '../command.ts';
import { settingFlags } from '../flags/field-flag.ts';
import { choiceFlag, switchFlag, textFlag } from '../flags/flag.ts';
import { parseGroupOrFile } from '../flags/group.ts';
import { verboseFlag } from '../flags/run-flags.ts';
import { folderName } from '../runs/run-path.ts';
import { writeFor } from '../runs/write-for.ts';

export const generate = defineCommand({
  name: 'generate',
  summary: 'Writes the dataset of a world as a folder of text files.',
  usage: 'generate <group | world.json> [flags]',
  takes: [1, 1],
  examples: [
    {
      line: 'generate SINE-SZ32-STP16-NDRP-STD0.2 --seed 1',
      about: 'a dataset of the paper, with a manifest',
    },
    {
      line: 'generate LINE-SZ16-STP8-EDRP-STD0.3 --out data/line --layout text --overwrite',
      about: "the authors' layout, over an older folder",
    },
  ],
  flags: {
    seed: settingFlags.seed,
    out: textFlag({ value: '<folder>', about: 'where it goes (default data/<world>/seed<n>)' }),
    layout: choiceFlag(['manifest', 'text', 'graph'], {
      about:
        "text: the authors' plain files alone, without a manifest of parameters and checksums; graph: a dataset of any graph, for --data",
      initial: 'manifest',
    }),
    overwrite: switchFlag('replace the folder if it is there and holds a dataset alone'),
    ...verboseFlag,
  },
  run: async ({ args: [group], flags, stdout }) => {
    const { seed = runFields.seed.default, layout, overwrite } = flags;
    const dataset = generateDataset(parseGroupOrFile(group), { seed });
    const { name } = dataset.world.parameters;
    const out = flags.out ?? `data/${folderName(name)}/seed${seed}`;
    const write = { manifest: writeDataset, text: writeTextLayout, graph: writeDataFolder };
    await writeFor('generate', () => write[layout](out, dataset, { overwrite }));
    const { nodes, edges, trajectories } = datasetStatistics(dataset);
    stdout.write(
      `${name}, seed ${seed}: ${nodes} nodes, ${edges} edges, ${trajectories} trajectories, in ${out}\n`,
    );
  },
});
