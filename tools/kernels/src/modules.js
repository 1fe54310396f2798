// @ts-check
/** What is kept of a part, and the text of the generated TypeScript. */

/**
 * @typedef {{ name: string, names: string[] }} Kernel with its parameters, without the range of units that each takes first
 * @typedef {{ hash: string, memoryBase: number | null, kernels: Kernel[], plain: string, relaxed: string }} Kept what a
 *   part was made of and what came out, both builds in hexadecimal; `memoryBase` is null if the part has no constants
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
 * One module for all parts: loading a file for each would take longer than compiling them.
 *
 * @param {readonly Kept[]} parts
 */
export function kernelsModule(parts) {
  const kernels = parts.flatMap((part) => part.kernels).sort((a, b) => (a.name < b.name ? -1 : 1));
  const twice = kernels.find(({ name }, i) => kernels[i + 1]?.name === name);
  if (twice) throw new Error(`kernels: expected one called ${twice.name}, got two`);
  const { functions, table } = packers(kernels);
  const modules = parts.map(({ plain, relaxed }) => `  { plain: '${plain}', relaxed: '${relaxed}' },`);
  return `// Made by tools/kernels of the *.as.ts files. Do not edit.

type Arguments<Names extends string> = Readonly<Record<Names, number>>;

${functions}

/** What each kernel takes by name after the range of units it is to compute, put in the order in which it takes it. */
export const packArguments = {
${table}
} satisfies Readonly<Record<string, (args: never) => number[]>>;

/**
 * The modules, which share one memory, in both builds: side by side and with every byte alike wherever it lies, which base64
 * would not give, so that both together compress to little more than one.
 */
export const modules = [
${modules.join('\n')}
];
`;
}
