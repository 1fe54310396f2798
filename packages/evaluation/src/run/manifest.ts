/**
 * The manifest of a run folder: whose it is, and every file with its size and checksum. It is the file with the highest
 * number among `manifest-<n>.json` that is complete; how one follows another is said in `node/owned-folder.ts`.
 */

/** The process that works in a folder. What tells it from others of its machine is there where the system gives it. */
export interface Owner {
  /** Random, and part of every temporary name that the process makes. */
  readonly token: string;
  readonly host: string;
  readonly pid: number;
  /** Of the machine since it was started, of the process numbers, and when the process began. */
  readonly boot?: string;
  readonly namespace?: string;
  readonly started?: string;
}

/** Whether something that was read is one: what else it says is not looked at. */
export function isOwner(found: unknown): found is Owner {
  if (typeof found !== 'object' || found === null) return false;
  const { token, host, pid } = found as Partial<Record<keyof Owner, unknown>>;
  const isToken = typeof token === 'string' && tokenPattern.test(token);
  return isToken && typeof host === 'string' && Number.isInteger(pid);
}

/** What the manifest says of a file of the run: how long it is, and the checksum of its content. */
export interface ListedFile {
  readonly bytes: number;
  readonly sha256: string;
  /** The temporary name under which the content lies until it is renamed. */
  readonly staged?: string;
}

export interface Manifest {
  readonly format: typeof format;
  readonly version: typeof version;
  /** Absent while nobody works in the folder. */
  readonly owner?: Owner;
  /** Tokens of owners that ended without tidying up: what bears them is rubbish. */
  readonly formerOwners: readonly string[];
  readonly files: Readonly<Record<string, ListedFile>>;
  /** Files that this manifest no longer lists, to be deleted. */
  readonly removed: readonly string[];
}

type Checksum = (text: string) => string;

const format = 'flowgrad-run';
const version = 1;
const tokenPattern = /^[0-9a-f]{32}$/;
const namePattern = /^manifest-(\d{8,15})\.json$/;

export const emptyManifest: Manifest = { format, version, formerOwners: [], files: {}, removed: [] };

export const manifestName = (number: number): string => `manifest-${String(number).padStart(8, '0')}.json`;

/** Undefined for a name that is none of a manifest. */
export function manifestNumber(name: string): number | undefined {
  const digits = namePattern.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The text ends with the checksum of all that stands before it: a part of it is never taken for the whole. */
export function encodeManifest(manifest: Manifest, sha256: Checksum): string {
  return textOf(manifest, sha256(JSON.stringify(manifest)));
}

const textOf = (manifest: Manifest, checksum: string): string =>
  `${JSON.stringify({ ...manifest, checksum }, undefined, 1)}\n`;

/** The manifest of a folder with these files, made elsewhere, by its name. Text is measured as UTF-8. */
export async function manifestOf(
  contents: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
  measure: (content: string | Uint8Array<ArrayBuffer>) => Promise<ListedFile>,
): Promise<Record<string, string>> {
  const files: Record<string, ListedFile> = {};
  for (const [path, content] of Object.entries(contents)) files[path] = await measure(content);
  const manifest: Manifest = { ...emptyManifest, files };
  const { sha256 } = await measure(JSON.stringify(manifest));
  // Number 1 is that of a claim, which lists nothing.
  return { [manifestName(2)]: textOf(manifest, sha256) };
}

/** Undefined if the text is a part of a manifest or was changed. */
export function decodeManifest(text: string, sha256: Checksum): Manifest | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const { checksum, ...rest } = parsed as Manifest & { readonly checksum?: unknown };
  if (checksum !== sha256(JSON.stringify(rest))) return undefined;
  if (rest.format !== format || rest.version !== version) {
    throw new Error(
      `run: expected a manifest of format ${format}, version ${version}, got ${String(rest.format)}, ` +
        `version ${String(rest.version)} (another release of Flowgrad wrote it)`,
    );
  }
  const names = [...Object.keys(rest.files), ...rest.removed];
  const tokens = [...rest.formerOwners, ...(rest.owner ? [rest.owner.token] : [])];
  const staged = Object.values(rest.files).flatMap((file) => file.staged ?? []);
  const isSafe =
    names.every(isRunFile) &&
    tokens.every((token) => tokenPattern.test(token)) &&
    staged.every((name) => /^\.tmp-[\w.-]+$/.test(name));
  return isSafe ? rest : undefined;
}

/** Everything that a run ever writes has such a name, with `/` between its parts. */
const runFilePattern = new RegExp(
  '^(config\\.json|environment\\.json|metrics\\.jsonl|summary\\.json|attention\\.json' +
    '|snapshots/epoch-\\d{4,7}\\.safetensors' +
    '|(checkpoints/step-\\d{8,15}|before-step-\\d{1,15})/' +
    '(parameters\\.safetensors|adam\\.safetensors|position\\.json|metrics\\.jsonl))$',
);

export const isRunFile = (path: string): boolean => runFilePattern.test(path);
