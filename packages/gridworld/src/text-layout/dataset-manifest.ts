import { DatasetFormatError } from '@flowgrad/data';
import { checked, fieldSchema, record, valueOf } from '@flowgrad/schema';
import type * as v from 'valibot';
import type { GridDataset } from '../dataset/dataset.ts';
import { worldSchema } from '../world/parameters.ts';
import { TEXT_FILES } from './text-layout.ts';
import type { TextFile } from './text-layout.ts';

export const MANIFEST_FILE = 'manifest.json';
const FORMAT = 'flowgrad-gridworld-dataset';
const VERSION = 1;

const fileSchema = record({
  bytes: fieldSchema({ kind: 'integer', about: 'how long the file is' }),
  sha256: valueOf<string>('to be a SHA-256', (sum) => typeof sum === 'string' && /^[0-9a-f]{64}$/.test(sum)),
});
const files = Object.fromEntries(TEXT_FILES.map((file) => [file, fileSchema]));
const manifestSchema = record({
  format: valueOf<string>(`to be '${FORMAT}'`, (format) => format === FORMAT),
  version: valueOf<number>(`to be ${VERSION}`, (version) => version === VERSION),
  seed: fieldSchema({ kind: 'seed', about: 'of map, trajectories and split' }),
  parameters: worldSchema,
  files: record(files as Record<TextFile, typeof fileSchema>),
});

export type FileChecksum = v.InferOutput<typeof fileSchema>;

/** What a dataset folder holds beside the text layout: how it was generated, and how each file must look. */
export type DatasetManifest = v.InferOutput<typeof manifestSchema>;

export function createManifest(dataset: GridDataset, files: DatasetManifest['files']): DatasetManifest {
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
  return checked(MANIFEST_FILE, manifestSchema, manifest);
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
