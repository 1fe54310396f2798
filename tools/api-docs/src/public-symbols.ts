/** What the packages export, and what is said about it: read by the TypeScript compiler from their sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const workspaceRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** One name that a package exports. */
export interface PublicSymbol {
  /** `@flowgrad/tensor/node`, the entry point that exports it. */
  readonly entry: string;
  readonly name: string;
  /** `packages/tensor/src/core/scope.ts:77`, where it is declared. */
  readonly at: string;
  readonly isFunction: boolean;
  /** The text of its comment, without tags; empty if there is none. */
  readonly comment: string;
  /** The code of its `@example` tags. */
  readonly examples: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The entry points of every package, by name, and the source file of each. */
export function entryPoints(): ReadonlyMap<string, string> {
  const entries = readdirSync(join(workspaceRoot, 'packages')).flatMap((directory) => {
    const folder = join(workspaceRoot, 'packages', directory);
    const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    return (
      Object.entries(exports)
        // An entry without a script is for the workspace alone.
        .filter(([, { default: script }]) => script !== undefined)
        .map(([subpath, target]): [string, string] => [
          name + subpath.slice(1),
          join(folder, target['@flowgrad/source']),
        ])
    );
  });
  return new Map(entries);
}

/**
 * A program of these files, with types for Node and browsers, that reads the sources of the packages it imports.
 * Some files may be on no disk: their text is in `texts`.
 */
export function programOf(
  files: readonly string[],
  texts: ReadonlyMap<string, string> = new Map(),
): ts.Program {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    customConditions: ['@flowgrad/source'],
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
    types: ['node'],
    typeRoots: [join(workspaceRoot, 'node_modules/@types')],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  };
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => texts.has(path) || disk.fileExists(path),
    readFile: (path) => texts.get(path) ?? disk.readFile(path),
    getSourceFile: (path, languageVersion, ...rest) => {
      const text = texts.get(path);
      return text === undefined
        ? disk.getSourceFile(path, languageVersion, ...rest)
        : ts.createSourceFile(path, text, languageVersion);
    },
  };
  return ts.createProgram({ rootNames: files, options, host });
}

/** Everything that the entry points of all packages export. */
export function publicSymbols(): PublicSymbol[] {
  const entries = entryPoints();
  const program = programOf([...entries.values()]);
  const checker = program.getTypeChecker();
  return [...entries].flatMap(([entry, file]) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`publicSymbols: expected a module at ${file}, got none`);
    return checker.getExportsOfModule(module).map((symbol) => describe(checker, entry, symbol));
  });
}

function describe(checker: ts.TypeChecker, entry: string, exported: ts.Symbol): PublicSymbol {
  const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
  const declaration = symbol.declarations?.[0];
  const source = declaration?.getSourceFile();
  const line = source?.getLineAndCharacterOfPosition(declaration?.getStart() ?? 0).line ?? 0;
  const type = declaration && checker.getTypeOfSymbolAtLocation(symbol, declaration);
  const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
  return {
    entry,
    name: exported.name,
    at: source ? `${relative(workspaceRoot, source.fileName)}:${line + 1}` : entry,
    isFunction: isValue && (type?.getCallSignatures().length ?? 0) > 0,
    comment: ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim(),
    examples: symbol
      .getJsDocTags(checker)
      .filter(({ name }) => name === 'example')
      .map(({ text }) => ts.displayPartsToString(text).trim()),
  };
}
