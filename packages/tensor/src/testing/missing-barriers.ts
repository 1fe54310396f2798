/**
 * Finds, in the text of a shader, workgroup memory that invocations share without a barrier between. No run can be
 * relied on to show it: an adapter may happen to run invocations in an order that hides the race.
 *
 * The body is walked as it would run, loops twice. Since the last barrier, a read after a write, a write after a read
 * and a write after a write are races unless both name the same element by the invocation's own place.
 */
import { parseWgsl } from '../backends/webgpu/parse-wgsl.ts';
import type { WgslNode } from '../backends/webgpu/parse-wgsl.ts';
import type { Check } from './check.ts';

/** A use of workgroup memory, and the `if` it stands in, which may keep its invocations apart. */
interface Access {
  readonly variable: string;
  readonly kind: 'read' | 'write';
  readonly index: string;
  readonly isOwn: boolean;
  readonly line: number;
  readonly branch: WgslNode | undefined;
}

/** What a name stands for; `isOwn` if it differs between the invocations of a workgroup. */
interface Meaning {
  readonly text: string;
  readonly isOwn: boolean;
}

/** What was done since the last barrier, on any way to this place. */
type Since = ReadonlySet<Access>;

const barriers = ['workgroupBarrier', 'workgroupUniformLoad'];

/**
 * One sentence for each race, naming its lines; none if every barrier is there.
 *
 * @example
 * import { readFileSync } from 'node:fs';
 * const found = missingBarriers(readFileSync('sum.wgsl', 'utf8'));
 */
export function missingBarriers(code: string): string[] {
  const nodes = parseWgsl(code);
  const isShared = ({ astNodeType, storage, type }: WgslNode): boolean =>
    astNodeType === 'var' && storage === 'workgroup' && !show(type).includes('atomic');
  const shared = new Set(nodes.filter(isShared).map(({ name }) => name));
  const functions = new Map(
    nodes.filter(({ astNodeType }) => astNodeType === 'function').map((node) => [node.name, node]),
  );
  const main = [...functions.values()].find(({ attributes }) =>
    attributes?.some(({ name }) => name === 'compute'),
  );
  if (!main || shared.size === 0) return [];
  const walk = new Walk(shared, functions);
  walk.call(main, new Map(), new Set());
  return [...walk.races];
}

/**
 * That no shader of a list misses a barrier.
 *
 * @example
 * import { readFileSync } from 'node:fs';
 * const code = readFileSync('sum.wgsl', 'utf8');
 * await runChecks(barrierChecks([{ name: 'sum', code }]));
 */
export function barrierChecks(shaders: readonly { readonly name: string; readonly code: string }[]): Check[] {
  return shaders.map(({ name, code }) => ({
    name: `${name} has a barrier wherever invocations read what others wrote`,
    run: async () => {
      const found = missingBarriers(code);
      if (found.length > 0) throw new Error(found.join('\n'));
    },
  }));
}

class Walk {
  readonly races = new Set<string>();
  readonly #shared: ReadonlySet<string>;
  readonly #functions: ReadonlyMap<string, WgslNode>;
  /** What the names of the function under way stand for. */
  #names = new Map<string, Meaning>();
  #calls = 0;
  #branch: WgslNode | undefined;

  constructor(shared: ReadonlySet<string>, functions: ReadonlyMap<string, WgslNode>) {
    this.#shared = shared;
    this.#functions = functions;
  }

  call(callee: WgslNode, given: ReadonlyMap<string, Meaning>, since: Since): Since {
    const outer = this.#names;
    this.#names = new Map(given);
    this.#calls += 1;
    for (const { name, attributes } of listOf(callee.args)) {
      const builtins = attributes?.flatMap(({ value }) => value) ?? [];
      const isOwn = builtins.some((value) => /^(local|global)_invocation/.test(String(value)));
      if (isOwn) this.#names.set(name, { text: name, isOwn });
    }
    const after = this.#block(listOf(callee.body), since);
    this.#names = outer;
    return after;
  }

  #block(statements: readonly WgslNode[], since: Since): Since {
    return statements.reduce((now, statement) => this.#statement(statement, now), since);
  }

  #statement(node: WgslNode, since: Since): Since {
    switch (node.astNodeType) {
      case 'if':
        return this.#if(node, since);
      case 'switch': {
        const start = this.#uses([node.condition], since);
        return union(listOf(node.cases).map(({ body }) => this.#within(node, listOf(body), start)));
      }
      case 'for':
        return this.#loop(
          this.#block(listOf(node.init), since),
          [node.condition],
          [...listOf(node.body), ...listOf(node.increment)],
        );
      case 'while':
        return this.#loop(since, [node.condition], listOf(node.body));
      case 'loop':
        return this.#loop(since, [], [...listOf(node.body), ...listOf(node.continuing?.body)]);
      case 'assign':
      case 'increment':
        return this.#assign(node, since);
      case 'call':
        return this.#uses([node], since);
      default:
        if (node.name) this.#names.set(node.name, this.#meaningOf(node));
        return this.#uses([node.value], since);
    }
  }

  #if(node: WgslNode, since: Since): Since {
    const conditions = [node.condition, ...listOf(node.elseif).map(({ condition }) => condition)];
    const start = this.#inBranch(node, () => this.#uses(conditions, since));
    const bodies = [node.body, ...listOf(node.elseif).map(({ body }) => body), node.else ?? []];
    return union(bodies.map((body) => this.#within(node, listOf(body), start)));
  }

  #within(branch: WgslNode, body: readonly WgslNode[], since: Since): Since {
    return this.#inBranch(branch, () => this.#block(body, since));
  }

  #inBranch(branch: WgslNode, walk: () => Since): Since {
    const outer = this.#branch;
    this.#branch = branch;
    const after = walk();
    this.#branch = outer;
    return after;
  }

  /** Twice, so that the end of one turn meets the start of the next; or not at all. */
  #loop(since: Since, conditions: readonly (WgslNode | undefined)[], body: readonly WgslNode[]): Since {
    const turn = (start: Since): Since => this.#block(body, this.#uses(conditions, start));
    const once = turn(since);
    return union([since, once, turn(once)]);
  }

  #assign(node: WgslNode, since: Since): Since {
    const target = node.variable!;
    const isPlain = node.operator === '=';
    const indices = postfixesOf(target).map(({ index }) => index);
    const before = this.#uses([node.value, ...indices, ...(isPlain ? [] : [target])], since);
    const local = this.#names.get(target.name);
    if (local && this.#dependsOnPlace(node.value)) this.#names.set(target.name, { ...local, isOwn: true });
    const variable = this.#sharedName(target);
    if (variable === undefined) return before;
    // What the statement itself reads comes before its write, under one condition.
    return this.#add(this.#access(variable, 'write', target), since, before);
  }

  /** Adds what expressions read, and what the functions they call do. */
  #uses(expressions: readonly (WgslNode | undefined)[], since: Since): Since {
    let now = since;
    const visit = (node: WgslNode | undefined): void => {
      if (!node) return;
      const variable = this.#sharedName(node);
      if (variable !== undefined) now = this.#add(this.#access(variable, 'read', node), now, now);
      for (const part of [node.left, node.right, node.contents, ...listOf(node.args)]) {
        if (!part || !this.#isPointer(part)) visit(part);
      }
      if (node.astNodeType === 'callExpr' || node.astNodeType === 'call') now = this.#called(node, now);
      for (const { index } of postfixesOf(node)) visit(index);
    };
    expressions.forEach(visit);
    return now;
  }

  /** What a function does with workgroup memory; its arguments were read before. */
  #called(node: WgslNode, since: Since): Since {
    if (barriers.includes(node.name)) return new Set();
    const callee = this.#functions.get(node.name);
    if (!callee) return since;
    const args = listOf(node.args);
    const given = args.map((arg, i): [string, Meaning] => [
      listOf(callee.args)[i].name,
      this.#isPointer(arg)
        ? { text: this.#sharedName(arg.right)!, isOwn: false }
        : { text: this.#show(arg), isOwn: this.#dependsOnPlace(arg) },
    ]);
    return this.call(callee, new Map(given), since);
  }

  /** Holds an access against what came before it, and adds it to `now`. */
  #add(access: Access, before: Since, now: Since): Since {
    for (const other of before) {
      if (other.variable !== access.variable || (other.kind === 'read' && access.kind === 'read')) continue;
      const isSame = other.isOwn && access.isOwn && other.index === access.index;
      const isKeptApart =
        other.kind === 'read' && other.branch !== undefined && other.branch === access.branch;
      if (isSame || isKeptApart || (other.kind === 'write' && access.kind === 'write')) continue;
      const [past, present] = access.kind === 'read' ? ['wrote', 'read'] : ['read', 'written'];
      this.races.add(
        `line ${access.line}: expected a workgroupBarrier() before ${access.variable}[${access.index}] is ${present}, ` +
          `got none since line ${other.line} ${past} ${access.variable}[${other.index}]`,
      );
    }
    return new Set([...now, access]);
  }

  #access(variable: string, kind: Access['kind'], node: WgslNode): Access {
    const index = postfixesOf(node).find((postfix) => postfix.index)?.index;
    return {
      variable,
      kind,
      index: this.#show(index),
      isOwn: this.#dependsOnPlace(index),
      line: node.line,
      branch: this.#branch,
    };
  }

  #isPointer(node: WgslNode): boolean {
    return node.operator === '&' && this.#sharedName(node.right) !== undefined;
  }

  /** The workgroup variable that an expression names, itself or by a pointer. */
  #sharedName(node: WgslNode | undefined): string | undefined {
    if (!node) return undefined;
    if (node.operator === '*' && node.left === undefined) return this.#sharedName(node.right);
    const name = this.#names.get(node.name)?.text ?? node.name;
    return node.astNodeType === 'varExpr' && this.#shared.has(name) ? name : undefined;
  }

  /** `let` and `const` stand for their value, a variable for itself in this call of its function. */
  #meaningOf({ astNodeType, name, value }: WgslNode): Meaning {
    const text = astNodeType === 'var' ? `${name}#${this.#calls}` : this.#show(value);
    return { text, isOwn: this.#dependsOnPlace(value) };
  }

  #dependsOnPlace(node: WgslNode | undefined): boolean {
    if (!node) return false;
    if (node.astNodeType === 'varExpr' && this.#names.get(node.name)?.isOwn) return true;
    const parts = [node.left, node.right, node.contents, ...listOf(node.args)];
    return [...parts, ...postfixesOf(node).map(({ index }) => index)].some((part) =>
      this.#dependsOnPlace(part),
    );
  }

  #show(node: WgslNode | undefined): string {
    return show(node, (name) => this.#names.get(name)?.text ?? name);
  }
}

function union(sets: readonly Since[]): Since {
  return new Set(sets.flatMap((set) => [...set]));
}

function listOf(value: WgslNode | readonly WgslNode[] | null | undefined): readonly WgslNode[] {
  if (!value) return [];
  return Array.isArray(value) ? (value as readonly WgslNode[]) : [value as WgslNode];
}

/** `[index]` and `.member` behind an expression, in order. */
function postfixesOf(node: WgslNode): WgslNode[] {
  const found: WgslNode[] = [];
  for (let postfix = node.postfix; postfix; postfix = postfix.postfix) found.push(postfix);
  return found;
}

/** An expression as text, alike for alike expressions. */
function show(node: WgslNode | undefined, meaning = (name: string): string => name): string {
  if (!node) return '';
  const text = (part: WgslNode | undefined): string => show(part, meaning);
  const after = postfixesOf(node)
    .map((postfix) => (postfix.index ? `[${text(postfix.index)}]` : `.${postfix.value as unknown as string}`))
    .join('');
  if (node.left) return `(${text(node.left)} ${node.operator} ${text(node.right)})${after}`;
  if (node.right) return `${node.operator}${text(node.right)}${after}`;
  if (node.astNodeType === 'literalExpr') {
    return `${Object.values((node.value as unknown as Literal).data)[0]}`;
  }
  const args = listOf(node.args);
  const inside = args.length > 0 ? `(${args.map(text).join(', ')})` : text(node.contents ?? node.format);
  return `${meaning(node.name)}${inside}${after}`;
}

interface Literal {
  readonly data: Readonly<Record<string, number>>;
}
