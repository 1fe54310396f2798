/** The code of `@example` tags: what a reader would copy, with the imports left out. */
import { join } from 'node:path';
import ts from 'typescript';
import { programOf, workspaceRoot, type PublicSymbol } from './public-symbols.ts';

export interface Example extends Pick<PublicSymbol, 'entry' | 'name' | 'at'> {
  readonly code: string;
}

export const examplesOf = (symbols: readonly PublicSymbol[]): Example[] =>
  symbols.flatMap(({ entry, name, at, examples }) => examples.map((code) => ({ entry, name, at, code })));

/** What the compiler says of examples that may use every name of their entry point and of @flowgrad/tensor. */
export function checkTypes(examples: readonly Example[], symbols: readonly PublicSymbol[]): string[] {
  const namesOf = (entry: string): string[] =>
    symbols.filter((each) => each.entry === entry).map(({ name }) => name);
  const sources = new Map(
    examples.map(({ entry, code }, i) => {
      const own = new Set(namesOf(entry));
      const others = namesOf('@flowgrad/tensor').filter((name) => !own.has(name));
      const imports = [
        `import { ${[...own].join(', ')} } from '${entry}';`,
        `import { ${others.join(', ')} } from '@flowgrad/tensor';`,
      ].join(' ');
      return [join(workspaceRoot, `tools/api-docs/example-${i}.mts`), `${imports}\n${code}\nexport {};\n`];
    }),
  );
  const program = programOf([...sources.keys()], sources);
  return [...sources.keys()].flatMap((path, i) => {
    const { at, name } = examples[i];
    return ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .map(({ messageText }) => `${at} ${name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  });
}

/**
 * The example as JavaScript that calls `check(value, expected)` where a line ends in a comment that is JSON:
 * `add(tensor([1]), 2); // [3]`.
 */
export function checkedCode(code: string): string {
  const lines = code.split('\n').map((line) => {
    const [, name, value, comment] = /^(?:const (\w+) = )?(.+); \/\/ (.+)$/.exec(line) ?? [];
    if (comment === undefined || !isJson(comment)) return line;
    return name === undefined
      ? `await check(${value}, ${comment});`
      : `const ${name} = ${value}; await check(${name}, ${comment});`;
  });
  const { outputText } = ts.transpileModule(lines.join('\n'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  return outputText.replace(/^"use strict";\n/, '');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
