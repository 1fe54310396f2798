/** Packs each library, installs it outside the workspace, and uses it as a reader would. */
import { existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { complaintsOf, type Complaint } from './consumers.ts';
import { closure, libraries, run, strangers, workspaceRoot, type Library } from './workspace.ts';

const all = libraries();
const tensor = libraryNamed('@flowgrad/tensor');

function libraryNamed(name: string): Library {
  const found = all.find((library) => library.name === name);
  if (found === undefined) throw new Error(`packages: there is no ${name}`);
  return found;
}

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

let root: string;
let packed: ReadonlyMap<string, readonly string[]>;
/** In folders of libraries, and by whether Node's types are there. */
let complaints: readonly Complaint[];

/** Folders with one library each and what it needs, and nothing else to be found by accident. */
const folderOf = (library: Library): string => join(root, library.name);
const scripts = (): string => join(root, 'own-scripts');
const consumerOf = (library: Library, subpath: string): string =>
  join(folderOf(library), `consumer${subpath.replaceAll(/\W/g, '-')}.ts`);
const specifier = (library: Library, subpath: string): string => posix.join(library.name, subpath);
const isForNode = (library: Library, subpath: string): boolean => library.isForNode || subpath === './node';

const script = `
    import { matmul, referenceBackend, setBackend, tensor } from '@flowgrad/tensor';
    const backend = referenceBackend();
    setBackend(backend);
    const x = tensor([[1, 2], [3, 4]]);
    const values = Array.from(await matmul(x, x).data());
  `;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'flowgrad-')));
  const installed = await installAll();
  await Promise.all(all.map((library) => use(library, folderOf(library), installed)));
  await use(tensor, scripts(), installed);

  const inside = await readFile(join(workspaceRoot, 'packages/tensor/src/core/op.test-d.ts'), 'utf8');
  const outside = inside.replaceAll("'../index.ts'", "'@flowgrad/tensor'");
  expect(outside).not.toBe(inside);
  await writeFile(join(scripts(), 'own-op.ts'), outside);
  await writeFile(join(scripts(), 'example.js'), `${script}console.log(values.join(' '));\n`);
  await writeFile(join(scripts(), 'example.ts'), `${script}export const typed: number[] = values;\n`);
  await writeFile(join(scripts(), 'wrong.ts'), `${script}export const typed: string[] = values;\n`);

  const consumers = all
    .toSorted((a, b) => closure(a, all).length - closure(b, all).length)
    .flatMap((library) => library.subpaths.map((subpath) => [library, subpath] as const));
  for (const [library, subpath] of consumers) {
    const text = `import * as library from '${specifier(library, subpath)}';\nexport const names: object = library;\n`;
    await writeFile(consumerOf(library, subpath), text);
  }
  const filesFor = (node: boolean): string[] =>
    consumers.filter((each) => isForNode(...each) === node).map((each) => consumerOf(...each));
  const own = ['own-op.ts', 'example.ts', 'wrong.ts'].map((file) => join(scripts(), file));
  complaints = [
    ...(await complaintsOf(root, [...filesFor(false), ...own], { node: false })),
    ...(await complaintsOf(root, filesFor(true), { node: true })),
  ];
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A folder into which npm installed all libraries from tarballs, offline. */
async function installAll(): Promise<string> {
  for (const { name, folder } of all) {
    if (!existsSync(join(folder, 'dist'))) throw new Error(`${name} is not built: nx run-many -t build`);
  }
  const folder = await emptyFolder(join(root, 'all'));
  const sources = [...all.map((library) => library.folder), ...strangers(all, all)];
  const json = await run(
    workspaceRoot,
    'npm',
    'pack',
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    folder,
    ...sources,
  );
  const tarballs = JSON.parse(json) as Packed[];
  packed = new Map(tarballs.map(({ name, files }) => [name, files.map(({ path }) => path)]));
  const paths = tarballs.map(({ filename }) => join(folder, filename));
  await run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', ...paths);
  return folder;
}

async function emptyFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  return folder;
}

/** An otherwise empty folder with the library and what it names, directly or not, as npm installed them. */
async function use(library: Library, folder: string, installed: string): Promise<void> {
  await emptyFolder(folder);
  const needed = closure(library, all);
  const names = [...needed.map(({ name }) => name), ...strangers(needed, all).map(nameOfFolder)];
  for (const name of names) {
    linkFolder(join(installed, 'node_modules', name), join(folder, 'node_modules', name));
  }
}

/** Hard links, which tools take for files of this place, where a copy of all would be written eleven times. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const link = entry.isDirectory() ? linkFolder : linkSync;
    link(join(from, entry.name), join(to, entry.name));
  }
}

const nameOfFolder = (folder: string): string =>
  folder.slice(join(workspaceRoot, 'node_modules').length + 1).replaceAll(sep, '/');

function filesOf({ name }: Library): readonly string[] {
  const files = packed.get(name);
  if (files === undefined) throw new Error(`${name} was not packed`);
  return files;
}

/** What was said of a file, or of what it imports, or of everything. */
const complaintsIn = (folder: string, file: string): string[] =>
  complaints
    .filter(
      (each) =>
        each.file === '' || each.file === file || each.file.startsWith(join(folder, 'node_modules') + sep),
    )
    .map(({ text }) => text);

describe.for(all)('$name', (library) => {
  test('is packed without sources or tests', () => {
    const files = filesOf(library);
    expect(
      files.filter((path) => /(^|\/)src\/|\.test(-d)?\.|(?<!\.d)\.ts$|tsconfig|\.config\./.test(path)),
    ).toEqual([]);
    expect(files).toContain('README.md');
  });

  test('is packed with every file that its exports name', () => {
    const files = filesOf(library);
    expect(files).toEqual(expect.arrayContaining(library.targets.map((path) => posix.normalize(path))));
  });

  test('has no source map that leads nowhere', async () => {
    const files = filesOf(library);
    const installed = join(folderOf(library), 'node_modules', library.name);
    expect(files.filter((path) => path.endsWith('.map')).length).toBeGreaterThan(0);
    for (const path of files.filter((path) => /\.(js|ts)$/.test(path))) {
      const map = /^\/\/# sourceMappingURL=(.*)$/m.exec(await readFile(join(installed, path), 'utf8'))?.[1];
      if (map !== undefined) expect(files).toContain(posix.join(dirname(path), map));
    }
    for (const path of files.filter((path) => path.endsWith('.map'))) {
      const map = JSON.parse(await readFile(join(installed, path), 'utf8')) as {
        sources: string[];
        sourcesContent?: (string | null)[];
      };
      for (const [i, source] of map.sources.entries()) {
        const present = files.includes(posix.join(dirname(path), source));
        expect(present || typeof map.sourcesContent?.[i] === 'string', `${path} → ${source}`).toBe(true);
      }
    }
  });

  test.for(library.subpaths)('%s imports in plain Node and exports something', async (subpath) => {
    const folder = folderOf(library);
    const name = specifier(library, subpath);
    await writeFile(
      join(folder, 'import.js'),
      `console.log(Object.keys(await import('${name}')).length > 0);`,
    );
    expect(await run(folder, process.execPath, 'import.js')).toBe('true\n');
  });

  test.for(library.subpaths)('%s type-checks for a consumer', (subpath) => {
    expect(complaintsIn(folderOf(library), consumerOf(library, subpath))).toEqual([]);
  });
});

test("@flowgrad/tensor holds a user's own op to its names", () => {
  expect(complaintsIn(scripts(), join(scripts(), 'own-op.ts'))).toEqual([]);
});

test('@flowgrad/tensor multiplies matrices, in JavaScript and in TypeScript', async () => {
  expect(await run(scripts(), process.execPath, 'example.js')).toBe('7 10 15 22\n');
  expect(complaintsIn(scripts(), join(scripts(), 'example.ts'))).toEqual([]);
  expect(complaintsIn(scripts(), join(scripts(), 'wrong.ts'))).toEqual([
    expect.stringMatching(/^nodenext: TS2322/),
    expect.stringMatching(/^bundler: TS2322/),
  ]);
});
