/** Settings that are right each by itself but not together: what a run of them would stumble over, before it is made. */
import { DIRECTION_NAMES } from '@flowgrad/gridworld';
import type { WorldParameters } from '@flowgrad/gridworld';
import { isCard } from './dataset-card.ts';
import type { DatasetCard } from './dataset-card.ts';
import { featureFields, hasPlaces, isPruned } from './run-fields.ts';
import type { Dataset } from '@flowgrad/data';
import type { Graph } from '@flowgrad/graph';
import { modelNames, modelOptions, optionsOf, suitsWidth, takesQueries } from '@flowgrad/models';
import type { ModelName, OptionDeclaration, OptionValues } from '@flowgrad/models';
import { rangeOf } from '@flowgrad/schema';
import type { Naming } from '@flowgrad/schema';
import { unknownName } from '@flowgrad/tensor';

type Options = Partial<OptionValues<typeof modelOptions>> & { readonly d: number };

interface Features {
  readonly frequencies?: number;
  readonly waves?: number;
  readonly embeddings?: boolean;
}

interface Chosen {
  readonly model: ModelName;
  readonly options: Options;
  readonly batch: number;
  readonly plan: 'cone' | 'dense';
  readonly features?: Features;
  readonly worlds?: number;
  readonly keepNodes?: number;
  readonly keepEdges?: number;
}

/** One source each to train, to choose an epoch and to test. */
const fewestNodes = 3;
const gibibyte = 2 ** 30;
const bytes = Float32Array.BYTES_PER_ELEMENT;
/** A parameter, its gradient and two moments. */
const copies = 4;

/** What is wrong, as `expected …, got …`; undefined if nothing is. */
export function problemOf(
  place: WorldParameters | DatasetCard,
  chosen: Chosen,
  nameOf: Naming,
): string | undefined {
  return (
    optionsProblem(chosen, nameOf) ??
    keepProblem(chosen, nameOf) ??
    (isCard(place) ? datasetProblem(place, chosen, nameOf) : gridProblem(place, chosen, nameOf)) ??
    memoryProblem(isCard(place) ? { ...place, examples: Infinity } : sizesOf(place, chosen), chosen, nameOf)
  );
}

function datasetProblem(
  place: DatasetCard,
  { model, features, worlds = 1 }: Chosen,
  nameOf: Naming,
): string | undefined {
  if (hasPlaces(features)) {
    const name = features?.waves === undefined ? 'frequencies' : 'waves';
    return (
      `${nameOf(`features.${name}`)}: expected a grid world, whose nodes have coordinates, got the dataset ${place.name} ` +
      '(features of its nodes are the columns of nodes.tsv beside node, x and y)'
    );
  }
  if (worlds > 1) {
    return `${nameOf('worlds')}: expected a grid world, of which every seed makes another, got the dataset ${place.name}`;
  }
  if (place.queries > 0 && !takesQueries(model)) {
    return `${nameOf('model')}: expected a model that takes queries for ${place.name}, got ${model} (${listOf(takesQueries)} do)`;
  }
  return undefined;
}

function gridProblem(place: WorldParameters, { features }: Chosen, nameOf: Naming): string | undefined {
  const problem = worldProblem(place);
  if (problem !== undefined) return `${nameOf('group')}: ${problem}`;
  // Nodes of a grid world have nothing but their coordinates.
  if (!features || hasPlaces(features)) return undefined;
  const [frequencies, waves] = [nameOf('features.frequencies'), nameOf('features.waves')];
  const range = (name: 'frequencies' | 'waves'): string => rangeOf(featureFields[name]).join('..');
  return `expected ${frequencies} to be an integer in ${range('frequencies')}, or ${waves} one in ${range('waves')}, got neither`;
}

/** Throws where a run without free embeddings is on a dataset that knows nothing of its nodes. */
export function expectFeatures(
  { features, group }: { readonly features?: Features; readonly group: unknown },
  dataset: Pick<Dataset, 'name' | 'features'>,
  nameOf: Naming = (path) => path,
): void {
  if (!isCard(group) || features?.embeddings !== false || dataset.features) return;
  throw new RangeError(
    `run: ${nameOf('features.embeddings')}: expected columns beside node, x and y in nodes.tsv, as something has to ` +
      `tell nodes apart, got none in the dataset ${dataset.name}`,
  );
}

/** Plans that leave something out follow the attention of cones. */
function keepProblem(chosen: Chosen, nameOf: Naming): string | undefined {
  if (!isPruned(chosen)) return undefined;
  const { model, plan, keepNodes } = chosen;
  const name = nameOf(keepNodes === undefined ? 'keepEdges' : 'keepNodes');
  if (!flowsAlone(model)) {
    return `${name}: expected a model whose attention can be cut, got ${model} (that of ${listOf(flowsAlone)} can)`;
  }
  return plan === 'dense' ? `${name}: expected ${nameOf('plan')} = 'cone', got 'dense'` : undefined;
}

/** The models of which something holds. */
const listOf = (holds: (model: ModelName) => boolean): string => modelNames.filter(holds).join(', ');

/** Attention flows, and no state reads all messages at once, as those of FullGN do. */
const flowsAlone = (model: ModelName): boolean => {
  const has = (option: string): boolean => Object.hasOwn(optionsOf(model), option);
  const isFlow = has('stopping') || has('memory');
  return isFlow && !(has('globalReduction') && has('messageMemory'));
};

interface Sizes {
  readonly nodes: number;
  readonly steps: number;
  readonly edgeTypes: number;
  readonly examples: number;
}

const sizesOf = ({ size, nodeDrop, steps, rollouts }: WorldParameters, { worlds = 1 }: Chosen): Sizes => {
  const nodes = worlds * size * size * (1 - nodeDrop);
  return { nodes, steps, edgeTypes: DIRECTION_NAMES.length, examples: nodes * rollouts };
};

/** With a width that a default does not suit, the option is said: half as many channels, the most heads that divide it. */
export function suitedOptions(model: ModelName, options: Options): Options {
  const { d } = options;
  const all: Record<string, unknown> = { ...options };
  for (const [name, declared] of numbersOf(model)) {
    if (all[name] !== undefined || suitsWidth(declared, declared.default, d)) continue;
    let suited = declared.isBelowD ? Math.floor(d / 2) : declared.default;
    while (!suitsWidth(declared, suited, d) && suited > declared.least) suited -= 1;
    all[name] = Math.max(suited, declared.least);
  }
  // In the order of a file that is read again: settings are compared as text.
  const names = Object.keys(modelOptions).filter((name) => all[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Options;
}

function optionsProblem({ model, options }: Chosen, nameOf: Naming): string | undefined {
  const known = Object.keys(optionsOf(model));
  const other = Object.keys(options).find((name) => !known.includes(name));
  if (other !== undefined) {
    return `${nameOf('options')}: ${unknownName(`options of ${model}`, nameOf(other), known.map(nameOf))}`;
  }
  const { d } = options;
  for (const [name, declared] of numbersOf(model)) {
    const value = (options[name as keyof Options] ?? declared.default) as number;
    if (suitsWidth(declared, value, d)) continue;
    const wanted = declared.isBelowD ? 'less than' : 'a divisor of';
    return `expected ${nameOf(`options.${name}`)} to be ${wanted} ${nameOf('options.d')} = ${d}, got ${value}`;
  }
  return undefined;
}

type NumberOption = Exclude<OptionDeclaration, { readonly kind: 'choice' }>;

const numbersOf = (model: ModelName): [name: string, declared: NumberOption][] =>
  Object.entries(optionsOf(model)).flatMap(([name, declared]): [string, NumberOption][] =>
    declared.kind === 'choice' ? [] : [[name, declared]],
  );

function worldProblem({ size, nodeDrop, edgeDrop, steps }: WorldParameters): string | undefined {
  if (steps < 1) return `expected steps to be at least 1, as many as a model takes, got ${steps}`;
  // Nodes without an edge are removed, so that three of them need two edges.
  const nodes = Math.floor(size * size * (1 - nodeDrop) + 1e-9);
  const edges = Math.floor(2 * (2 * size - 1) * (size - 1) * (1 - edgeDrop) + 1e-9);
  if (nodes >= fewestNodes && edges >= fewestNodes - 1) return undefined;
  return (
    `expected at least ${fewestNodes} nodes, to train, to validate and to test, got ${nodes} with ${edges} edges ` +
    `in ${size} × ${size} cells (size ${size}, nodeDrop ${nodeDrop}, edgeDrop ${edgeDrop})`
  );
}

/** Which nodes and edges are dropped is up to the seed; this is for the world that came of it. */
export function expectNodes({ seed }: { readonly seed: number }, { graph }: { readonly graph: Graph }): void {
  if (graph.nodeCount >= fewestNodes) return;
  throw new RangeError(
    `run: group: expected at least ${fewestNodes} nodes, to train, to validate and to test, got ${graph.nodeCount} ` +
      `with seed ${seed} (a larger size, smaller drops or another seed)`,
  );
}

/** What surely is needed; most runs take several times as much. */
function memoryProblem(
  { nodes, steps, edgeTypes, examples: most }: Sizes,
  { model, options, batch, plan }: Chosen,
  nameOf: Naming,
): string | undefined {
  const { d } = options;
  const has = (name: string): boolean => Object.hasOwn(optionsOf(model), name);
  // Weights of d × d: of each edge type and some ten for messages and updates, of updates alone, or none.
  const squares = has('messageMemory') ? edgeTypes + 10 : has('globalReduction') ? 6 : 0;
  const parameters = (nodes * d + squares * d * d) * copies * bytes;
  if (parameters > 2 * gibibyte) {
    return (
      `expected parameters that take at most 2 GiB with their optimiser, got ${inGibibytes(parameters)} ` +
      `for ${nameOf('options.d')} = ${d} and ${Math.floor(nodes)} nodes (make ${nameOf('options.d')} smaller)`
    );
  }
  const examples = Math.min(batch, most);
  const rows = plan === 'dense' && squares > 0 ? examples * nodes * steps * d : 0;
  const states = Math.max(rows, Math.min(batch, nodes) * nodes * (steps + 1)) * bytes;
  if (states <= 4 * gibibyte) return undefined;
  return (
    `expected a batch that takes at most 4 GiB, got ${inGibibytes(states)} for ${nameOf('batch')} = ${batch} with ` +
    `${Math.floor(nodes)} nodes, ${steps} steps and ${nameOf('options.d')} = ${d} (make ${nameOf('batch')} smaller)`
  );
}

const inGibibytes = (size: number): string =>
  `${(size / gibibyte).toLocaleString('en', { maximumSignificantDigits: 3 })} GiB`;
