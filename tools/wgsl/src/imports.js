// @ts-check
/** The imports of WGSL files: what a shader takes from the files that shaders share, checked before linking. */

/**
 * @typedef {{ module: string, name: string, line: number }} Import
 * @typedef {Readonly<Record<string, string>>} Sources the text of every .wgsl file, by its path under src
 */

const statement = /^import package::([\w:]+?)::(?:(\w+)|\{([^}]*)\});/gm;

/**
 * The name of a file in imports: WGSL knows no hyphens.
 *
 * @param {string} path
 */
export const moduleOf = (path) => path.replaceAll('-', '_');

/**
 * `import package::wgsl::unit_lanes::{lanes, join_lanes};` takes two names of wgsl/unit-lanes.wgsl.
 *
 * @param {string} code
 * @returns {Import[]}
 */
export function importsOf(code) {
  return Array.from(code.matchAll(statement)).flatMap((match) => {
    const [, path, single, list = ''] = match;
    const line = code.slice(0, match.index).split('\n').length;
    const names = single ? [single] : list.split(',').map((name) => name.trim());
    return names
      .filter((name) => name !== '')
      .map((name) => ({ module: `${path.replaceAll('::', '/')}.wgsl`, name, line }));
  });
}

/** Without comments, which may say anything. */
export const withoutComments = (/** @type {string} */ code) => code.replaceAll(/\/\/.*$/gm, '');

/**
 * Every import names something that exists and is used, and no file imports itself through others.
 *
 * @param {Sources} sources
 */
export function checkImports(sources) {
  const modules = Object.fromEntries(Object.entries(sources).map(([path, code]) => [moduleOf(path), code]));
  for (const [path, code] of Object.entries(sources)) {
    const text = withoutComments(code);
    for (const [found] of text.matchAll(/^\s*import\b.*$/gm)) {
      if (importsOf(found.trimStart()).length > 0) continue;
      const line = text.slice(0, text.indexOf(found)).split('\n').length;
      throw new Error(`${path}:${line}: expected import package::folder::file::name; got ${found.trim()}`);
    }
    const body = text.replaceAll(statement, '');
    for (const { module, name, line } of importsOf(code)) {
      if (!(module in modules))
        throw new Error(`${path}:${line}: expected an import of a file, got ${module}`);
      const names = declarations(modules[module]);
      if (!names.includes(name)) {
        throw new Error(`${path}:${line}: expected a name of ${module} (${names.join(', ')}), got ${name}`);
      }
      if (!new RegExp(`\\b${name}\\b`).test(body)) {
        throw new Error(`${path}:${line}: ${name} is imported and not used`);
      }
    }
    refuseCycle(modules, moduleOf(path), []);
  }
}

/**
 * A file and all that it imports, one after the other.
 *
 * @param {Sources} sources
 * @param {string} path
 */
export function withImports(sources, path) {
  const paths = [path];
  for (const file of paths) {
    const modules = importsOf(sources[file]).map(({ module }) => module);
    paths.push(
      ...Object.keys(sources).filter((other) => modules.includes(moduleOf(other)) && !paths.includes(other)),
    );
  }
  return paths.map((file) => sources[file]).join('\n');
}

/** Files that no other file imports, and that are no kernels: nobody needs them. */
export function unusedFiles(/** @type {Sources} */ sources) {
  const imported = new Set(
    Object.values(sources).flatMap((code) => importsOf(code).map(({ module }) => module)),
  );
  return Object.keys(sources).filter((path) => !isKernel(sources[path]) && !imported.has(moduleOf(path)));
}

/** A file with an entry point is a kernel, any other holds what kernels share. */
export const isKernel = (/** @type {string} */ code) => /^@compute\b/m.test(code);

function declarations(/** @type {string} */ code) {
  const found = withoutComments(code).matchAll(
    /^(?:fn|struct|const|override|alias|(?:@\w+\(\d+\) )*var<[^>]+>) (\w+)/gm,
  );
  return Array.from(found, ([, name]) => name);
}

/**
 * @param {Sources} modules
 * @param {string} path
 * @param {readonly string[]} above
 */
function refuseCycle(modules, path, above) {
  if (above.includes(path))
    throw new Error(`${above[0]}: imports go in a circle: ${[...above, path].join(' → ')}`);
  for (const { module } of importsOf(modules[path] ?? '')) refuseCycle(modules, module, [...above, path]);
}
