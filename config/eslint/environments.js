// @ts-check
/**
 * Where a file runs, and what it may touch there.
 *
 * A package says where it runs by its Nx tag: env:any, env:node or env:browser. Inside a package, src/node is
 * always env:node and src/browser env:browser; tests and config files are env:node, browser tests env:browser.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import globals from 'globals';

/** @typedef {'any' | 'node' | 'browser'} Environment */

const root = new URL('../../', import.meta.url);

/** In `globals` these count as shared by Node and browsers, but Node 20 lacks them. */
const missingInNode20 = [
  'CloseEvent',
  'ErrorEvent',
  'localStorage',
  'navigator',
  'Navigator',
  'QuotaExceededError',
  'sessionStorage',
  'Storage',
  'Temporal',
  'URLPattern',
  'WebSocket',
];
const everywhere = new Set(Object.keys({ ...globals.builtin, ...globals['shared-node-browser'] }));
for (const name of missingInNode20) everywhere.delete(name);

const browserGlobals = Object.keys(globals.browser).filter((name) => !everywhere.has(name));
const nodeGlobals = Object.keys(globals.node).filter(
  (name) => !everywhere.has(name) && !browserGlobals.includes(name),
);

const nodeModules = {
  regex: `^(node:|(${builtinModules.filter((name) => !name.startsWith('_')).join('|')})($|/))`,
  message: 'Node modules belong in src/node or in an env:node package.',
};
/** @param {'node' | 'browser'} folder */
const folder = (folder) => ({
  regex: `^(\\.{1,2}/(.*/)?|@flowgrad/[^/]+/)${folder}(/|$)`,
  message: `What lies in a ${folder} folder is env:${folder}; this file is not.`,
});
const nodeFolder = folder('node');
const browserFolder = folder('browser');

/** @param {string[]} names @param {string} message */
const ban = (names, message) => names.map((name) => ({ name, message }));
const noBrowserGlobals = ban(
  browserGlobals,
  'Browser globals belong in src/browser or in an env:browser package.',
);
const noNodeGlobals = ban(nodeGlobals, 'Node globals belong in src/node or in an env:node package.');

/** @type {Record<Environment, { modules: { regex: string, message: string }[], globals: { name: string, message: string }[] }>} */
export const forbidden = {
  any: {
    modules: [nodeModules, nodeFolder, browserFolder],
    globals: [...noBrowserGlobals, ...noNodeGlobals],
  },
  node: { modules: [browserFolder], globals: noBrowserGlobals },
  browser: { modules: [nodeModules, nodeFolder], globals: noNodeGlobals },
};

/** The folders of the workspace's packages that carry the Nx tag `env:<environment>`. */
export function packagesOf(/** @type {Environment} */ environment) {
  const folders = ['packages', 'tools'].flatMap((parent) =>
    readdirSync(new URL(`${parent}/`, root)).map((name) => `${parent}/${name}`),
  );
  return [...folders, 'bench'].filter((path) => {
    const manifest = new URL(`${path}/package.json`, root);
    if (!existsSync(manifest)) return false;
    const { nx } = JSON.parse(readFileSync(manifest, 'utf8'));
    const tags = (nx?.tags ?? []).filter((/** @type {string} */ tag) => tag.startsWith('env:'));
    if (tags.length !== 1) {
      throw new Error(`${path}/package.json: expected one env:* tag in nx.tags, got ${tags.length}`);
    }
    return tags[0] === `env:${environment}`;
  });
}
