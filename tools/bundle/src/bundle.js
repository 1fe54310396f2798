// @ts-check
/** Bundling in memory, for browsers, and what can be said of the result. */
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const entryId = 'virtual:entry';

/** What only Node has, as it would stand in minified code. */
const nodeOnly = [
  /\bnode:[a-z]/,
  /__vite-browser-external/,
  /(?<![.\w])require\(/,
  /(?<![.\w])process\./,
  /(?<![.\w])Buffer\./,
];

/**
 * @typedef {{ code: string, bytes: number, gzipBytes: number, modules: string[] }} Bundle
 */

/**
 * @param {string} entry source of the module to start from
 * @returns {Promise<Bundle>}
 */
export async function bundle(entry) {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entryId ? `\0${entryId}` : undefined),
        load: (id) => (id === `\0${entryId}` ? entry : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      modulePreload: false,
      rolldownOptions: { input: entryId, preserveEntrySignatures: 'strict' },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  const chunks = outputs.flatMap((output) => ('output' in output ? output.output : []));
  const code = chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n');
  const modules = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? Object.keys(chunk.modules) : []));
  const gzipBytes = gzipSync(code, { level: 9 }).length;
  return { code, bytes: Buffer.byteLength(code), gzipBytes, modules };
}

/**
 * What makes a bundle unfit for a page: code of Node, or too many bytes.
 *
 * @param {Bundle} made
 * @param {number} maxGzipBytes
 */
export function problemsOf({ code, gzipBytes, modules }, maxGzipBytes) {
  const found = nodeOnly.map((pattern) => pattern.exec(code)).filter((match) => match !== null);
  const problems = found.map(
    ({ 0: text, index }) => `Node code: '${text}' in …${code.slice(Math.max(0, index - 40), index + 40)}…`,
  );
  problems.push(
    ...modules.filter((id) => /[/\\]node[/\\][^/\\]+$/.test(id)).map((id) => `a module of Node: ${id}`),
  );
  if (gzipBytes > maxGzipBytes)
    problems.push(`${gzipBytes} bytes after gzip, expected at most ${maxGzipBytes}`);
  return problems;
}
