// @ts-check
/** The text of the generated TypeScript. */

/**
 * @typedef {{ name: string, names: string[] }} Kernel with its parameters, without the range of units that each takes first
 * @typedef {{ hash: string, memoryBase: number | null, kernels: Kernel[] }} Head what the first line of a part's file says;
 *   `memoryBase` is null if the part has no constants
 */

/**
 * @param {string} declarations
 * @returns {Kernel[]}
 */
export function kernelsOf(declarations) {
  const found = declarations.matchAll(
    /export function (\w+)\(start: number, end: number(?:, )?(.*)\): void;/g,
  );
  return Array.from(found, ([, name, list]) => {
    const names = Array.from(list.matchAll(/(\w+): number/g), ([, parameter]) => parameter);
    return { name, names };
  });
}

/**
 * @param {Head} head
 * @param {{ plain: Uint8Array, relaxed: Uint8Array }} wasm
 */
export function partModule(head, { plain, relaxed }) {
  const base64 = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString('base64');
  return `// ${JSON.stringify(head)}\nexport const plain = '${base64(plain)}';\n\nexport const relaxed = '${base64(relaxed)}';\n`;
}

/**
 * @param {string | undefined} text
 * @returns {Head | undefined}
 */
export function headOf(text) {
  const line = text?.slice(0, text.indexOf('\n')).replace('// ', '');
  return line?.startsWith('{') ? JSON.parse(line) : undefined;
}

/** For each kernel the function that puts its arguments in order; those of like parameters share one. */
function packers(/** @type {readonly Kernel[]} */ kernels) {
  const lists = [...new Set(kernels.map(({ names }) => names.join(', ')))];
  const functions = lists.map(
    (list, i) =>
      `const pack${i} = ({ ${list} }: Arguments<'${list.replaceAll(', ', "' | '")}'>): number[] => [${list}];`,
  );
  const table = kernels.map(({ name, names }) => `  ${name}: pack${lists.indexOf(names.join(', '))},`);
  return { functions: functions.join('\n'), table: table.join('\n') };
}

/**
 * @param {readonly { name: string, kernels: readonly Kernel[] }[]} parts
 */
export function kernelsModule(parts) {
  const kernels = parts.flatMap((part) => part.kernels).sort((a, b) => (a.name < b.name ? -1 : 1));
  const twice = kernels.find(({ name }, i) => kernels[i + 1]?.name === name);
  if (twice) throw new Error(`kernels: expected one called ${twice.name}, got two`);
  const { functions, table } = packers(kernels);
  const places = parts.map((_, i) => i);
  return `// Made by tools/kernels of the *.as.ts files. Do not edit.
${parts.map(({ name }, i) => `import * as part${i} from './kernels/${name}.ts';`).join('\n')}

type Arguments<Names extends string> = Readonly<Record<Names, number>>;

${functions}

/** What each kernel takes by name after the range of units it is to compute, put in the order in which it takes it. */
export const packArguments = {
${table}
} satisfies Readonly<Record<string, (args: never) => number[]>>;

/** The modules of a build, which share one memory. */
export const plain = [${places.map((i) => `part${i}.plain`).join(', ')}];

export const relaxed = [${places.map((i) => `part${i}.relaxed`).join(', ')}];
`;
}
