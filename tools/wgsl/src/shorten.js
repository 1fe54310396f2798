// @ts-check
/**
 * The WGSL that is shipped, made short as bundlers make JavaScript short: without spaces, and with letters for names
 * that only shaders use. Every line stays a line, so that what a device says of one still leads to the file and line it
 * was written in. Tests and development run the text as it was written.
 */

const declaration = /\b(?:fn|struct|let|const|alias|var(?:<[^>]*>)?) (\w+)|(\w+): (?!\{)/g;
const word = /[A-Za-z_]\w*/g;
/** Attributes and address spaces: their words mean something to WGSL, whoever else is called so. */
const reserved = /@\w+(?:\([^)]*\))?|var<[^>]*>/g;
const swizzle = /^(?:[xyzw]{3,4}|[rgba]{3,4})$/;

/**
 * Of one set of shaders, which share declarations: a name is the same letters in all of them, so that no two names of one
 * shader become one.
 *
 * @param {readonly string[]} shaders whole ones, with all that they import
 * @returns {(text: string) => string} for each of them, or for any lines of one
 */
export function shortener(shaders) {
  const all = shaders.join('\n');
  /** @type {Map<string, number>} */
  const uses = new Map();
  for (const [name] of all.matchAll(word)) uses.set(name, (uses.get(name) ?? 0) + 1);
  const kept = new Set(['main', ...shaders.flatMap(keptIn)]);
  const names = [...uses.keys()].filter((name) => name.length > 2 && !kept.has(name) && !swizzle.test(name));
  const often = names.sort((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0) || (a < b ? -1 : 1));
  const letters = shortNames().filter((short) => !uses.has(short));
  const renamed = new Map(often.map((name, i) => [name, letters[i]]));
  return (text) => withoutSpaces(withAliases(text).replaceAll(word, (name) => renamed.get(name) ?? name));
}

/**
 * Words that must stay: buffers, members of `params` and override constants, which host code gives by name, and whatever is
 * WGSL's own, even where a shader calls something of its own so.
 *
 * @param {string} code
 */
function keptIn(code) {
  const words = (/** @type {string} */ text) => Array.from(text.matchAll(word), ([name]) => name);
  const declared = new Set(Array.from(code.matchAll(declaration), ([, name, member]) => name ?? member));
  const callable = new Set(Array.from(code.matchAll(/\b(?:fn|struct|alias) (\w+)/g), ([, name]) => name));
  const called = Array.from(code.matchAll(/(\w+)(?=\()/g), ([name]) => name);
  return [
    ...words(code).filter((name) => !declared.has(name)),
    ...called.filter((name) => !callable.has(name)),
    ...Array.from(code.matchAll(reserved), ([text]) => words(text)).flat(),
    ...Array.from(code.matchAll(/\b(?:override|var<storage, \w+>) (\w+)/g), ([, name]) => name),
    ...Array.from(paramsOf(code).matchAll(/(\w+): /g), ([, name]) => name),
  ];
}

/** The members of the struct that the uniform is of. */
function paramsOf(/** @type {string} */ code) {
  const struct = /var<uniform> \w+: (\w+)/.exec(code)?.[1];
  return (struct && new RegExp(`struct ${struct} \\{([^}]*)`).exec(code)?.[1]) ?? '';
}

/** A, B, …, Aa, Ab, …: WGSL has no words of its own among them. */
function shortNames() {
  const capitals = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
  const both = [...capitals, ...capitals.map((letter) => letter.toLowerCase())];
  return [...capitals, ...capitals.flatMap((first) => both.map((second) => first + second))];
}

/** WGSL's own short names of vectors: vec4<f32> is vec4f. */
function withAliases(/** @type {string} */ text) {
  return text.replaceAll(/\bvec([234])<([fiu])32>/g, 'vec$1$2');
}

/** Two words, or two operators, stay apart. */
function withoutSpaces(/** @type {string} */ text) {
  return text.replaceAll(
    /(?<=\w) +(?=[^\w\s])|(?<=[^\w\s]) +(?=\w)|(?<=[()[\]{},;:]) +| +(?=[()[\]{},;:])/g,
    '',
  );
}
