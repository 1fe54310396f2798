// @ts-check
/**
 * Makes the scripts of packages tasks of Nx, as Nx does by itself, but without an `npm run` and a Node around each: for
 * fifty tasks those took half a minute of a processor. A package whose `includedScripts` is empty leaves its scripts to this.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** While `npm run times` measures, every script runs in a shell that notes what it took. */
const timed = process.env['FLOWGRAD_TIMES'] !== undefined;

/** @type {import('@nx/devkit').CreateNodesV2} */
export const createNodesV2 = [
  '{packages/*,tools/*,bench}/package.json',
  (files, _, { workspaceRoot }) =>
    files.map((file) => {
      const { name, scripts = {} } = JSON.parse(readFileSync(join(workspaceRoot, file), 'utf8'));
      const root = dirname(file);
      const targets = Object.fromEntries(
        Object.entries(scripts).map(([script, command]) => [
          script,
          {
            executor: 'nx:run-commands',
            options: {
              cwd: root,
              command: timed ? `sh ${workspaceRoot}/config/timed-shell.sh ${name}:${script}` : command,
              ...(timed && { env: { FLOWGRAD_TIMED: command } }),
            },
          },
        ]),
      );
      return [file, { projects: { [root]: { targets } } }];
    }),
];
