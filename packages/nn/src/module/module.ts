/**
 * Modules: plain objects that hold parameters and state. Nothing is registered; what a module holds is found by looking.
 *
 * The rule is the one by which `scope` finds tensors to keep: own properties of plain objects, elements of arrays,
 * values of maps, nested as deep as it goes. A parameter's name is the path to it, joined by dots. So what has a
 * name here is also kept when a scope returns the module, and a minifier that renames variables changes no name.
 */
import { RowIndex, Tensor, TensorError } from '@flowgrad/tensor';
import { isState } from './state.ts';

/** A plain object (or array, or map) with parameters, state and further modules in it; other values are passed over. */
export type Module = object;

type Path = readonly string[];

/**
 * The parameters of a module by dotted name, in the order in which its properties were written.
 * A parameter that is met twice is one parameter: it has the name under which it was met first.
 */
export function parameters(module: Module): Map<string, Tensor> {
  return new Map([...heldTensors(module)].filter(([, tensor]) => !isState(tensor)));
}

/** What `state` made in a module, by dotted name as `parameters` gives them. */
export function states(module: Module): Map<string, Tensor> {
  return new Map([...heldTensors(module)].filter(([, tensor]) => isState(tensor)));
}

/** Frees the parameters and the state of a module. Constants and row indices in it belong to who made them. */
export function disposeModule(module: Module): void {
  for (const tensor of heldTensors(module).values()) tensor.dispose('disposeModule()');
}

/** Parameters and state together: what a module owns and what a file of it holds. */
export function heldTensors(module: Module): Map<string, Tensor> {
  const found = new Map<string, Tensor>();
  const seen = new Set<object>();
  const opaque: [value: object, path: Path][] = [];
  const visit = (value: unknown, path: Path): void => {
    if (!isUnseen(value, seen)) return;
    if (value instanceof Tensor) {
      if (value.isParameter) addNamed(found, path, value);
      return;
    }
    const children = childrenOf(value);
    if (!children) opaque.push([value, path]);
    for (const [name, child] of children ?? []) visit(child, [...path, name]);
  };
  visit(module, []);
  for (const [value, path] of opaque) rejectHidden(value, path, seen);
  return found;
}

/** Whether `value` can hold a tensor and is met for the first time; it is marked as seen. */
function isUnseen(value: unknown, seen: Set<object>): value is object {
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  return !ArrayBuffer.isView(value) && !(value instanceof RowIndex);
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

function addNamed(found: Map<string, Tensor>, path: Path, tensor: Tensor): void {
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

/**
 * A parameter inside a class instance or a set, however deep, would neither be trained nor kept by a scope: better
 * said than missed. What was found on another path is `seen` and does no harm here.
 */
function rejectHidden(instance: object, at: Path, seen: Set<object>): void {
  const visit = (value: unknown, path: Path): void => {
    if (!isUnseen(value, seen)) return;
    if (value instanceof Tensor) {
      if (value.isParameter) throw hidden(instance, path);
      return;
    }
    for (const [name, child] of contentsOf(value)) visit(child, [...path, name]);
  };
  for (const [name, child] of contentsOf(instance)) visit(child, [...at, name]);
}

/** What is in an object of any class, as far as it can be seen from outside: private fields cannot. */
function contentsOf(value: object): [name: string, child: unknown][] {
  if (value instanceof Set) return [...value].map((child: unknown, i) => [String(i), child]);
  return childrenOf(value) ?? Object.entries(value);
}

function hidden(instance: object, path: Path): TensorError {
  return new TensorError(
    'parameters',
    'option',
    `expected modules that are plain objects, arrays or maps, got parameter '${path.join('.')}' ` +
      `in an instance of ${instance.constructor.name} (neither parameters nor scope look into instances)`,
  );
}
