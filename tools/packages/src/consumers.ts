/** What TypeScript says to someone who uses the packed libraries. */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { outcome, workspaceRoot } from './workspace.ts';

export interface Complaint {
  /** The file it is about; empty if it is about the whole program. */
  readonly file: string;
  /** `nodenext: TS2322: Type 'number[]' is not assignable to …`, the resolution first. */
  readonly text: string;
}

const resolutions = [
  { name: 'nodenext', module: 'nodenext', moduleResolution: 'nodenext' },
  { name: 'bundler', module: 'esnext', moduleResolution: 'bundler' },
] as const;

/** `folder/file.ts(3,7): error TS2322: …`, and `error TS2688: …` where no file is to blame. */
const line = /^(?:(?<file>\S.*)\(\d+,\d+\): )?error (?<text>TS\d+: .*)$/s;

/**
 * Type-checks these files and every declaration that they reach, under both resolutions that consumers use. All of them are one
 * program, for reading and checking the DOM's types takes longer than all of ours. TypeScript takes one copy of a package, the
 * first it meets, for all others of that version: so files of folders with fewer packages come first, and what a package
 * needs is looked for where nothing else is installed.
 */
export async function complaintsOf(
  folder: string,
  files: readonly string[],
  { node }: { readonly node: boolean },
): Promise<Complaint[]> {
  const complaints: Complaint[] = [];
  for (const { name, ...resolution } of resolutions) {
    const compilerOptions = {
      ...resolution,
      target: 'es2022',
      // What many consumers have, and no more: neither newer collections nor `using`.
      lib: ['es2022', 'dom'],
      strict: true,
      noEmit: true,
      // The library's own declarations are what is on trial.
      skipLibCheck: false,
      types: node ? ['node'] : [],
      typeRoots: [join(workspaceRoot, 'node_modules/@types')],
    };
    const config = join(folder, `tsconfig.${name}.json`);
    await writeFile(config, JSON.stringify({ compilerOptions, files }));
    const tsc = join(workspaceRoot, 'node_modules/.bin/tsc');
    // Of an error of many lines, what follows the first is indented.
    const said = (await outcome(folder, tsc, '-p', config, '--pretty', 'false')).split(/\n(?! )/);
    for (const each of said.filter((words) => words !== '')) {
      const { file, text = each } = line.exec(each)?.groups ?? {};
      complaints.push({ file: file === undefined ? '' : resolve(folder, file), text: `${name}: ${text}` });
    }
  }
  return complaints;
}
