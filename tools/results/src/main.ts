/** `npm run results`: the counts and tables of results/README.md, from the runs beside it. */
import { writeFile } from 'node:fs/promises';
import { readPaperRuns } from './paper-runs.ts';
import { readmePath, readReadme, resultsFolder, withRuns } from './readme.ts';

const runs = await readPaperRuns(resultsFolder);
await writeFile(readmePath, await withRuns(await readReadme(), runs));
console.log(`results/README.md has the tables of ${runs.length} runs.`);
