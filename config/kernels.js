// @ts-check
/**
 * Compiles the AssemblyScript kernels (`*.as.ts`) of the package in the working directory and writes them as one
 * TypeScript module, so that Node, bundlers and tests load them in the same way: by importing.
 *
 * Two builds: with plain 128-bit SIMD, and with the fused multiply-add of relaxed SIMD. Both import a shared memory;
 * `builds.ts` tells how they run without one.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import asc from 'assemblyscript/asc';

const target = 'src/backends/wasm/generated/kernels.ts';

/** Files whose exports are kernels; those in `assembly/` only hold what kernels share. */
const entries = listKernels();

const flags = [
  ...['--runtime', 'stub', '--use', 'abort=', '--noAssert', '--optimizeLevel', '3', '--converge'],
  ...['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'],
];

function listKernels() {
  const files = ['src/ops', 'src/bench'].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((file) => `${folder}/${String(file).replaceAll('\\', '/')}`),
  );
  return files.filter((file) => file.endsWith('.as.ts')).sort();
}

/** @param {string} features */
async function compile(features) {
  /** @type {Map<string, string | Uint8Array>} */
  const files = new Map();
  const { error, stderr } = await asc.main(
    [...entries, '--outFile', 'kernels.wasm', '--bindings', 'raw', '--enable', features, ...flags],
    {
      writeFile: (name, contents) => {
        files.set(name, contents);
      },
    },
  );
  if (error) throw new Error(`kernels: ${error.message}\n${stderr.toString()}`);
  return files;
}

/** Every kernel's name with those of its parameters, without the range of units that each takes first. */
function parametersOf(/** @type {string} */ declarations) {
  const found = declarations.matchAll(
    /export function (\w+)\(start: number, end: number(?:, )?(.*)\): void;/g,
  );
  return Array.from(found, ([, name, list]) => {
    const names = Array.from(list.matchAll(/(\w+): number/g), ([, parameter]) => parameter);
    return { name, names };
  }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** For each kernel the function that puts its arguments in order; those of like parameters share one. */
function packers(/** @type {ReturnType<typeof parametersOf>} */ kernels) {
  const lists = [...new Set(kernels.map(({ names }) => names.join(', ')))];
  const functions = lists.map(
    (list, i) =>
      `const pack${i} = ({ ${list} }: Arguments<'${list.replaceAll(', ', "' | '")}'>): number[] => [${list}];`,
  );
  const table = kernels.map(({ name, names }) => `  ${name}: pack${lists.indexOf(names.join(', '))},`);
  return { functions: functions.join('\n'), table: table.join('\n') };
}

const plain = await compile('simd,threads');
const relaxed = await compile('simd,threads,relaxed-simd');
const base64 = (/** @type {typeof plain} */ files) =>
  Buffer.from(/** @type {Uint8Array} */ (files.get('kernels.wasm'))).toString('base64');

const kernels = parametersOf(String(plain.get('kernels.d.ts')));
const { functions, table } = packers(kernels);

mkdirSync(dirname(target), { recursive: true });
writeFileSync(
  target,
  `/** Made by config/kernels.js of the *.as.ts files. */

/** What each kernel takes after the range of units it is to compute. */
export interface KernelSignatures {
${kernels.map(({ name, names }) => `  readonly ${name}: [${names.map((n) => `${n}: number`).join(', ')}];`).join('\n')}
}

type Arguments<Names extends string> = Readonly<Record<Names, number>>;

${functions}

/** What each kernel takes by name, put in the order in which it takes it. */
export const packArguments = {
${table}
} satisfies { readonly [Name in keyof KernelSignatures]: (args: never) => number[] };

export const plain = '${base64(plain)}';

export const relaxed = '${base64(relaxed)}';
`,
);
