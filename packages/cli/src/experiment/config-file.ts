/** The configuration of an experiment or a sweep: JSON, or a module that exports it as `default` or `experiment`. */
import { createRequire } from 'node:module';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readText } from '../runs/read-text.ts';
import { UsageError } from '../usage-error.ts';

/** Errors begin with the command. */
export async function readConfigFile(command: string, path: string): Promise<unknown> {
  switch (extname(path)) {
    case '.json':
      return parseJson(command, path, await readText(path));
    case '.js':
    case '.mjs':
      return exported(command, path, await importPath(path));
    case '.ts':
    case '.mts':
      return exported(command, path, await importTypeScript(command, path));
    default:
      throw new UsageError(`${command}: expected a file ending in .json, .js, .mjs or .ts, got ${path}`);
  }
}

function parseJson(command: string, path: string, content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch (error) {
    throw new UsageError(
      `${command}: expected JSON in ${path}, got something else (${(error as Error).message})`,
    );
  }
}

const importPath = async (path: string): Promise<object> => {
  await readText(path); // its absence is told better than by `import`
  return (await import(pathToFileURL(resolve(path)).href)) as object;
};

function exported(command: string, path: string, module: object): unknown {
  const found = 'default' in module ? module.default : 'experiment' in module ? module.experiment : undefined;
  if (found !== undefined) return found;
  throw new UsageError(`${command}: expected ${path} to export 'default' or 'experiment', got neither`);
}

/** Whether this Node runs TypeScript by stripping its types, as 22.18 and newer do. */
const stripsTypes = (): boolean =>
  Boolean((process.features as { readonly typescript?: unknown }).typescript);

/** Without type stripping, by the compiler that the project has; a file that imports others needs a newer Node then. */
async function importTypeScript(command: string, path: string): Promise<object> {
  if (stripsTypes()) return importPath(path);
  const typescript = findTypeScript(path);
  if (!typescript) {
    throw new UsageError(
      `${command}: expected Node 22.18 or newer, or the package typescript, to read ${path}, got Node ` +
        `${process.versions.node} alone (npm install typescript; or write it as .js or .json)`,
    );
  }
  const source = await readText(path);
  const { outputText } = typescript.transpileModule(source, {
    compilerOptions: { target: typescript.ScriptTarget.ES2022, module: typescript.ModuleKind.ESNext },
  });
  return (await import(
    `data:text/javascript;base64,${Buffer.from(outputText).toString('base64')}`
  )) as object;
}

interface TypeScript {
  readonly ScriptTarget: { readonly ES2022: number };
  readonly ModuleKind: { readonly ESNext: number };
  transpileModule(source: string, options: object): { readonly outputText: string };
}

/** As the configuration file would find it, or this package. */
function findTypeScript(path: string): TypeScript | undefined {
  for (const from of [pathToFileURL(resolve(path)), import.meta.url]) {
    try {
      return createRequire(from)('typescript') as TypeScript;
    } catch {
      // Not there; perhaps from the other place.
    }
  }
  return undefined;
}
