/** What TypeScript says to someone who uses the packed libraries. */
import { join } from 'node:path';
import ts from 'typescript';
import { workspaceRoot } from './workspace.ts';

export interface Complaint {
  /** The file it is about; empty if it is about the whole program. */
  readonly file: string;
  /** `nodenext: TS2322: Type 'number[]' is not assignable to …`, the resolution first. */
  readonly text: string;
}

const resolutions = [
  ['nodenext', ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
  ['bundler', ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
] as const;

/**
 * Type-checks these files and every declaration that they reach, under both resolutions that consumers use. All of them are one
 * program, for reading and checking the DOM's types takes longer than all of ours. TypeScript takes one copy of a package, the
 * first it meets, for all others of that version: so files of folders with fewer packages come first, and what a package
 * needs is looked for where nothing else is installed.
 */
export function complaintsOf(files: readonly string[], { node }: { readonly node: boolean }): Complaint[] {
  return resolutions.flatMap(([name, module, moduleResolution]) => {
    const options: ts.CompilerOptions = {
      module,
      moduleResolution,
      target: ts.ScriptTarget.ES2022,
      // What many consumers have, and no more: neither newer collections nor `using`.
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      strict: true,
      noEmit: true,
      // The library's own declarations are what is on trial.
      skipLibCheck: false,
      types: node ? ['node'] : [],
      typeRoots: [join(workspaceRoot, 'node_modules/@types')],
    };
    return ts.getPreEmitDiagnostics(ts.createProgram(files, options)).map(({ file, code, messageText }) => ({
      file: file?.fileName ?? '',
      text: `${name}: TS${code}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    }));
  });
}
