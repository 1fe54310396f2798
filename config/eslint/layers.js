// @ts-check
/** The layers of ARCHITECTURE.md as Nx dependency constraints: imports point down only. */

/** What each layer may import. Layers of one row do not see each other. */
const layers = {
  files: [],
  tensor: [],
  schema: ['tensor'],
  nn: ['tensor'],
  graph: ['files', 'tensor'],
  models: ['nn', 'graph', 'tensor'],
  data: ['files', 'graph', 'schema', 'tensor'],
  gridworld: ['data', 'files', 'graph', 'schema', 'tensor'],
  evaluation: ['models', 'gridworld', 'data', 'nn', 'graph', 'schema', 'files', 'tensor'],
};
const libraries = Object.keys(layers);
/**
 * What a person or the project starts. Nothing imports these, but that `flowgrad playground` serves the page, and that
 * `flowgrad sweep`, its bench and its torture work on the store.
 */
const edges = {
  cli: [...libraries, 'playground', 'sweeps', 'test-server'],
  playground: libraries,
  sweeps: [...libraries, 'test-server'],
  bench: [...libraries, 'sweeps', 'test-server'],
  tool: [...libraries, 'sweeps', 'test-server'],
  // PostgreSQL for tests of sweeps.
  'test-server': [],
};
const all = { ...layers, ...edges };

/** What code of each environment may import. */
const environments = {
  any: ['any'],
  // A package for browsers with the tag entry:node exports nothing but what Node may import.
  node: ['any', 'node', 'entry:node'],
  browser: ['any', 'browser'],
};

/**
 * @param {string} dimension
 * @param {Record<string, string[]>} allowed
 */
const constraints = (dimension, allowed) =>
  Object.entries(allowed).map(([name, targets]) => ({
    sourceTag: `${dimension}:${name}`,
    onlyDependOnLibsWithTags: targets.map((target) =>
      target.includes(':') ? target : `${dimension}:${target}`,
    ),
  }));

export const depConstraints = [...constraints('layer', all), ...constraints('env', environments)];

/**
 * Every pair of layers, for Nx's check for circles to leave alone: the layers rule out circles already, and
 * that check would come first and hide which layer was broken.
 */
export const layerPairs = Object.keys(all).flatMap((a, i, names) =>
  names.slice(i + 1).map((b) => [`tag:layer:${a}`, `tag:layer:${b}`]),
);
