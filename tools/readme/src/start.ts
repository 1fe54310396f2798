/** `npm start`: runs the first example of README.md. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readExamples } from './examples.ts';
import { runExample, workspaceRoot } from './run-example.ts';

const [first] = readExamples(await readFile(join(workspaceRoot, 'README.md'), 'utf8'));
console.log(`The example of README.md, line ${first.line}, prints:`);
process.stdout.write(await runExample(first));
