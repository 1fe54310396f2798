import type { Dataset } from '../dataset/dataset.ts';
import type { WorldParameters } from '../world/parameters.ts';
import { DatasetFormatError } from './text-lines.ts';
import type { TextFile } from './text-layout.ts';

export const MANIFEST_FILE = 'manifest.json';
const FORMAT = 'flowgrad-gridworld-dataset';
const VERSION = 1;

export interface FileChecksum {
  readonly bytes: number;
  readonly sha256: string;
}

/** What a dataset folder holds beside the text layout: how it was generated, and how each file must look. */
export interface DatasetManifest {
  readonly format: string;
  readonly version: number;
  readonly seed: number;
  readonly parameters: WorldParameters;
  readonly files: Readonly<Record<TextFile, FileChecksum>>;
}

export function createManifest(dataset: Dataset, files: DatasetManifest['files']): DatasetManifest {
  return {
    format: FORMAT,
    version: VERSION,
    seed: dataset.seed,
    parameters: dataset.world.parameters,
    files,
  };
}

/**
 * The manifest's text ends with the checksum of all that stands before it, so that an edit of it shows too.
 */
export function encodeManifest(manifest: DatasetManifest, sha256: (text: string) => string): string {
  return `${JSON.stringify({ ...manifest, checksum: sha256(JSON.stringify(manifest)) }, null, 2)}\n`;
}

export function decodeManifest(text: string, sha256: (text: string) => string): DatasetManifest {
  const parsed = parseObject(text);
  if (parsed.format !== FORMAT) {
    throw new DatasetFormatError(MANIFEST_FILE, `format '${FORMAT}'`, `'${String(parsed.format)}'`);
  }
  if (parsed.version !== VERSION) {
    throw new DatasetFormatError(
      MANIFEST_FILE,
      `version ${VERSION}`,
      `${String(parsed.version)} (another release's)`,
    );
  }
  const { checksum, ...manifest } = parsed;
  const expected = sha256(JSON.stringify(manifest));
  if (checksum !== expected) {
    throw new DatasetFormatError(
      MANIFEST_FILE,
      `checksum ${expected}`,
      `${String(checksum)} (the file was edited)`,
    );
  }
  // What this package wrote, to the letter: the checksum says so.
  return manifest as unknown as DatasetManifest;
}

function parseObject(text: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new DatasetFormatError(MANIFEST_FILE, 'JSON', `${(error as Error).message} (truncated or edited)`);
  }
  if (typeof parsed !== 'object' || parsed === null) {
    throw new DatasetFormatError(MANIFEST_FILE, 'a JSON object', String(parsed));
  }
  return parsed as Record<string, unknown>;
}

export function checkFile(file: TextFile, { files }: DatasetManifest, actual: FileChecksum): void {
  const expected = files[file];
  if (actual.bytes !== expected.bytes) {
    throw new DatasetFormatError(file, `${expected.bytes} bytes (${MANIFEST_FILE})`, `${actual.bytes}`);
  }
  if (actual.sha256 !== expected.sha256) {
    throw new DatasetFormatError(
      file,
      `SHA-256 ${expected.sha256} (${MANIFEST_FILE})`,
      `${actual.sha256} (edited)`,
    );
  }
}
