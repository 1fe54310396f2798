import { servePlayground } from '@flowgrad/playground/node';
import { defineCommand } from '../command.ts';
import { integerFlag } from '../flags/flag.ts';
import { verboseFlag } from '../flags/run-flags.ts';

/** The same each time, if it is free: what a browser keeps for a page, it keeps by port. */
const usualPort = 4747;

export const playground = defineCommand({
  name: 'playground',
  summary: 'Serves a page to train models in and watch their attention.',
  usage: 'playground [flags]',
  examples: [
    { line: 'playground', about: 'open the address it prints; Ctrl-C ends it' },
    { line: 'playground --port 8080', about: 'on a port of your choice' },
  ],
  flags: {
    port: integerFlag({
      about: `0 takes any that is free (default ${usualPort}, or any if that is in use)`,
      least: 0,
      most: 65535,
    }),
    ...verboseFlag,
  },
  run: async ({ flags: { port }, stdout, signal }) => {
    const server = await (port === undefined
      ? servePlayground({ port: usualPort }).catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'EADDRINUSE') return servePlayground();
          throw error;
        })
      : servePlayground({ port }));
    stdout.write(`The playground is at ${server.url} (Ctrl-C ends it)\n`);
    // Ctrl-C ends the process; a test fires the signal.
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => {
        resolve();
      });
    });
    await server.close();
  },
});
