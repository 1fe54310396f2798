import { join } from 'node:path';
import ts from 'typescript';
import type { Example } from './examples.ts';
import { workspaceRoot } from './run-example.ts';

/** What a reader who copies an example has: `tsc --strict`, and the types of Node. */
const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  types: ['node'],
  typeRoots: [join(workspaceRoot, 'node_modules/@types')],
  // Declarations are checked by tools/packages.
  skipLibCheck: true,
};

/** What `tsc --strict` says of each example, with the line in its README; against the built packages' types. */
export function checkTypes(examples: readonly Example[]): string[][] {
  // Files that are nowhere on disk, in the workspace, so that imports are resolved as a package of it would.
  const sources = new Map(
    examples.map(({ code }, i) => [join(workspaceRoot, `tools/readme/example-${i}.mts`), code]),
  );
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => sources.has(path) || disk.fileExists(path),
    readFile: (path) => sources.get(path) ?? disk.readFile(path),
    getSourceFile: (path, languageVersion, ...rest) => {
      const code = sources.get(path);
      return code === undefined
        ? disk.getSourceFile(path, languageVersion, ...rest)
        : ts.createSourceFile(path, code, languageVersion);
    },
  };
  const program = ts.createProgram({ rootNames: [...sources.keys()], options, host });
  return [...sources.keys()].map((path, i) => {
    const file = program.getSourceFile(path);
    return ts.getPreEmitDiagnostics(program, file).map(({ start = 0, messageText }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + examples[i].line;
      return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
  });
}
