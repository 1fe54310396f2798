/** Files and folders that are there and cannot be read: that is never taken for absence. */
import { join } from 'node:path';
import { command } from '../commands/commands.ts';
import { flowgrad } from '../flowgrad.ts';
import { contentsOf, copyFolder, demandSame, resumeWords } from '../tiny-run.ts';
import type { Contents } from '../tiny-run.ts';
import { demand } from '../torture.ts';
import type { Case } from '../torture.ts';
import { comparable, readers } from './subject.ts';
import type { Subject } from './subject.ts';

const codes = ['EACCES', 'EIO'] as const;

/** Each file and folder of a run, one after the other with each error. */
export async function unreadableCases(of: Subject, wanted: Contents): Promise<Case[]> {
  const paths = [...(await contentsOf(join(of.folder, 'run'))).keys()].map((path) => path.replace(/\/$/, ''));
  return ['', ...paths].map((path, i) => unreadableCase(of, path, codes[i % codes.length], wanted));
}

export function unreadableCase(of: Subject, path: string, code: string, wanted: Contents): Case {
  const place = join('run', path);
  return {
    name: `${of.state}, ${place.replace(/[0-9a-f]{16,}/, '…')} cannot be read (${code})`,
    run: async (folder) => {
      await copyFolder(join(of.folder, 'run'), join(folder, 'run'));
      const before = await contentsOf(folder);
      const disk = { fault: { kind: 'unreadable', path: place, code } } as const;
      const doctor = await flowgrad(readers['doctor'], folder, { disk });
      const isSame = doctor.code === of.before['doctor'].code && doctor.stdout === of.before['doctor'].stdout;
      if (!isSame) demandSaid(`${doctor.stdout}${doctor.stderr}`, code);
      demandSame(await contentsOf(folder), before);
      const train = await flowgrad(resumeWords(), folder, { disk });
      // Doctor reads everything, training what it needs: the lock of a dead process is not.
      if (train.code !== 0 || (doctor.code !== 0 && !of.isDone)) demandSaid(train.stderr, code);
      const again = await command(resumeWords(), folder);
      demand(again.code === 0, () => `resuming ended with ${again.code ?? again.signal}: ${again.stderr}`);
      demandSame(comparable(await contentsOf(folder), of), comparable(wanted, of));
    },
  };
}

function demandSaid(text: string, code: string): void {
  demand(
    text.includes(code) && /\bexpected\b/.test(text),
    () => `expected ${code} to be told, got ${text.trim()}`,
  );
}
