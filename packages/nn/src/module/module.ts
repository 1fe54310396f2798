/**
 * Modules: plain objects that hold parameters. Nothing is registered; what a module holds is found by looking.
 *
 * The rule is the one by which `scope` finds tensors to keep: own properties of plain objects, elements of arrays,
 * values of maps, nested as deep as it goes. A parameter's name is the path to it, joined by dots. So what has a
 * name here is also kept when a scope returns the module, and a minifier that renames variables changes no name.
 */
import { Tensor, TensorError } from '@flowgrad/tensor';

/** A plain object (or array, or map) with parameters and further modules in it; other values are passed over. */
export type Module = object;

/**
 * The parameters of a module by dotted name, in the order in which its properties were written.
 * A parameter that is met twice is one parameter: it has the name under which it was met first.
 */
export function parameters(module: Module): Map<string, Tensor> {
  const found = new Map<string, Tensor>();
  const seen = new Set<object>();
  const visit = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (value instanceof Tensor) {
      if (value.isParameter) addNamed(found, path, value);
      return;
    }
    const children = childrenOf(value);
    if (!children) rejectHidden(value, path);
    for (const [name, child] of children ?? []) visit(child, [...path, name]);
  };
  visit(module, []);
  return found;
}

/** Frees the parameters of a module. Constants and row indices in it belong to who made them. */
export function disposeModule(module: Module): void {
  for (const tensor of parameters(module).values()) tensor.dispose('disposeModule()');
}

function childrenOf(value: object): [name: string, child: unknown][] | undefined {
  if (value instanceof Map) return [...value].map(([key, child]) => [String(key), child]);
  if (Array.isArray(value) || isPlain(value)) return Object.entries(value);
  return undefined;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function addNamed(found: Map<string, Tensor>, path: readonly string[], tensor: Tensor): void {
  const name = path.join('.');
  if (found.has(name)) {
    throw new TensorError(
      'parameters',
      'option',
      `expected distinct names, got '${name}' for two parameters`,
    );
  }
  found.set(name, tensor);
}

/** A parameter inside a class instance would neither be trained nor kept by a scope: better said than missed. */
function rejectHidden(value: object, path: readonly string[]): void {
  for (const [name, child] of Object.entries(value)) {
    if (!(child instanceof Tensor && child.isParameter)) continue;
    throw new TensorError(
      'parameters',
      'option',
      `expected modules that are plain objects, arrays or maps, got parameter '${[...path, name].join('.')}' ` +
        `in an instance of ${value.constructor.name} (neither parameters nor scope look into instances)`,
    );
  }
}
