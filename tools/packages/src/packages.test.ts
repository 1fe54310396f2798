/** Packs each library, installs it into an empty folder outside the workspace, and uses it as a reader would. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closure, libraries, run, strangers, workspaceRoot, type Library } from './workspace.ts';

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const all = libraries();

const folders: string[] = [];
async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'flowgrad-'));
  folders.push(folder);
  return folder;
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

interface Packed {
  readonly tarball: string;
  readonly files: readonly string[];
}
const packed = new Map<Library, Packed>();

beforeAll(async () => {
  const destination = await emptyFolder();
  for (const library of all) {
    if (!existsSync(join(library.folder, 'dist')))
      throw new Error(`${library.name} is not built: nx run-many -t build`);
    const json = await run(library.folder, 'npm', 'pack', '--json', '--pack-destination', destination);
    const [{ filename, files }] = JSON.parse(json) as [{ filename: string; files: { path: string }[] }];
    packed.set(library, { tarball: join(destination, filename), files: files.map(({ path }) => path) });
  }
});

function packedOf(library: Library): Packed {
  const found = packed.get(library);
  if (found === undefined) throw new Error(`${library.name} was not packed`);
  return found;
}

/** An otherwise empty folder with the library and what it needs installed from tarballs, offline. */
async function install(library: Library): Promise<string> {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const needed = closure(library, all);
  const tarballs = needed.map((one) => packedOf(one).tarball);
  for (const stranger of strangers(needed, all)) {
    const json = await run(stranger, 'npm', 'pack', '--json', '--pack-destination', folder);
    const [{ filename }] = JSON.parse(json) as [{ filename: string }];
    tarballs.push(join(folder, filename));
  }
  await run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', ...tarballs);
  return folder;
}

const specifier = (library: Library, subpath: string) => posix.join(library.name, subpath);

/** Type-checks `file` in `folder` under both resolutions that consumers use. */
async function typeCheck(folder: string, file: string, { node }: { node: boolean }): Promise<void> {
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const types = node
      ? { types: ['node'], typeRoots: [join(workspaceRoot, 'node_modules/@types')] }
      : { types: [] };
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      // What many consumers have, and no more: neither newer collections nor `using`.
      lib: ['es2022', 'dom'],
      strict: true,
      noEmit: true,
      // The library's own declarations are what is on trial.
      skipLibCheck: false,
      ...types,
    };
    const config = join(folder, `tsconfig.${moduleResolution}.json`);
    await writeFile(config, JSON.stringify({ compilerOptions, files: [file] }));
    await run(folder, process.execPath, tsc, '-p', config);
  }
}

describe.for(all)('$name', (library) => {
  let folder: string;
  beforeAll(async () => {
    folder = await install(library);
  });

  test('is packed without sources or tests', () => {
    const { files } = packedOf(library);
    expect(
      files.filter((path) => /(^|\/)src\/|\.test(-d)?\.|(?<!\.d)\.ts$|tsconfig|\.config\./.test(path)),
    ).toEqual([]);
    expect(files).toContain('README.md');
  });

  test('is packed with every file that its exports name', () => {
    const { files } = packedOf(library);
    expect(files).toEqual(expect.arrayContaining(library.targets.map((path) => posix.normalize(path))));
  });

  test('has no source map that leads nowhere', async () => {
    const { files } = packedOf(library);
    const installed = join(folder, 'node_modules', library.name);
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
    const name = specifier(library, subpath);
    const script = `console.log(Object.keys(await import('${name}')).length > 0);`;
    await writeFile(join(folder, 'import.js'), script);
    expect(await run(folder, process.execPath, 'import.js')).toBe('true\n');
  });

  test.for(library.subpaths)('%s type-checks for a consumer', async (subpath) => {
    const file = `consumer${subpath.replaceAll(/\W/g, '-')}.ts`;
    const name = specifier(library, subpath);
    await writeFile(
      join(folder, file),
      `import * as library from '${name}';\nexport const names: object = library;\n`,
    );
    await typeCheck(folder, file, { node: library.isForNode || subpath === './node' });
  });
});

test("@flowgrad/tensor holds a user's own op to its names", async () => {
  const library = all.find(({ name }) => name === '@flowgrad/tensor');
  if (library === undefined) throw new Error('packages: there is no @flowgrad/tensor');
  const folder = await install(library);
  const inside = await readFile(join(workspaceRoot, 'packages/tensor/src/core/op.test-d.ts'), 'utf8');
  const outside = inside.replaceAll("'../index.ts'", "'@flowgrad/tensor'");
  expect(outside).not.toBe(inside);
  await writeFile(join(folder, 'own-op.ts'), outside);
  await typeCheck(folder, 'own-op.ts', { node: false });
});

test('@flowgrad/tensor multiplies matrices, in JavaScript and in TypeScript', async () => {
  const library = all.find(({ name }) => name === '@flowgrad/tensor');
  if (library === undefined) throw new Error('packages: there is no @flowgrad/tensor');
  const folder = await install(library);
  const script = `
    import { matmul, referenceBackend, setBackend, tensor } from '@flowgrad/tensor';
    const backend = referenceBackend();
    setBackend(backend);
    const x = tensor([[1, 2], [3, 4]]);
    const values = Array.from(await matmul(x, x).data());
  `;
  await writeFile(join(folder, 'example.js'), `${script}console.log(values.join(' '));\n`);
  expect(await run(folder, process.execPath, 'example.js')).toBe('7 10 15 22\n');

  await writeFile(join(folder, 'example.ts'), `${script}export const typed: number[] = values;\n`);
  await typeCheck(folder, 'example.ts', { node: false });
  await writeFile(join(folder, 'wrong.ts'), `${script}export const typed: string[] = values;\n`);
  await expect(typeCheck(folder, 'wrong.ts', { node: false })).rejects.toThrow(/TS2322/);
});
