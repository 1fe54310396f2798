import ts from 'typescript';

const readers = new Set(['data', 'item', 'toArray', 'show']);

/**
 * Where an example reads what a scope has returned, `await scope(() => loss()).item()`: the tensor was kept for the
 * caller, and nobody frees it. `await scope(() => loss().item())` reads inside of the scope.
 */
export function keptValues(code: string): string[] {
  const file = ts.createSourceFile('example.ts', code, ts.ScriptTarget.ES2022, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isPropertyAccessExpression(node) &&
      readers.has(node.name.text) &&
      ts.isCallExpression(node.expression) &&
      /(^|\.)scope$/.test(node.expression.expression.getText(file))
    ) {
      found.push(node.getText(file));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
