import { checked, fieldSchema, record, valueOf } from '@flowgrad/schema';
import * as v from 'valibot';
import { DatasetFormatError } from './format-error.ts';

/** The file that says what a folder is. */
export const MANIFEST = 'manifest.json';
const FORMAT = 'flowgrad-dataset';
const VERSION = 1;

/** What can stand between two tabs. */
export const isWord = (text: unknown): boolean => typeof text === 'string' && /^[^\t\n\r\0]+$/.test(text);
const isName = (name: unknown): boolean =>
  typeof name === 'string' && /^(?!\.+$)[^\u0000-\u001f\u007f]{1,100}$/.test(name);
/** Of edge types or queries; models have parameters for each. */
const mostKinds = 2 ** 16;

/** A list of names, or a number of them where the files have numbers. */
const isNaming = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 &&
      value.length <= mostKinds &&
      value.every(isWord) &&
      new Set(value).size === value.length
    : Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= mostKinds;
const naming = v.exactOptional(
  valueOf<number | readonly string[]>(
    `to be a number in 1..${mostKinds} or a list of different names`,
    isNaming,
  ),
);

const manifestSchema = record({
  format: valueOf<string>(`to be '${FORMAT}'`, (format) => format === FORMAT),
  version: valueOf<number>(`to be ${VERSION}`, (version) => version === VERSION),
  name: valueOf<string>('to be 1..100 characters, none of them a control character', isName),
  steps: fieldSchema({ kind: 'integer', least: 1, most: 1024, about: 'how many steps a model takes' }),
  nodes: v.exactOptional(
    fieldSchema({
      kind: 'integer',
      least: 1,
      most: 2 ** 31 - 1,
      about: 'the files number the nodes, from 0',
    }),
  ),
  edgeTypes: naming,
  queries: naming,
  unreachable: v.exactOptional(
    fieldSchema({ kind: 'choice', choices: ['refused', 'kept'], about: 'examples farther than the steps' }),
  ),
  asksEdges: v.exactOptional(
    fieldSchema({ kind: 'switch', about: 'whether queries are edge types, whose edges are not to be told' }),
  ),
});

/** What manifest.json holds. */
export type Manifest = Readonly<v.InferOutput<typeof manifestSchema>>;

export function decodeManifest(text: string): Manifest {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new DatasetFormatError(MANIFEST, 'JSON', (error as Error).message);
  }
  const { format } = (parsed ?? {}) as { readonly format?: unknown };
  if (format === 'flowgrad-gridworld-dataset') {
    throw new DatasetFormatError(
      MANIFEST,
      `format '${FORMAT}'`,
      `'${format}' (a grid world, which has a group: generate --layout graph writes it as any graph)`,
    );
  }
  return checked(MANIFEST, manifestSchema, parsed);
}

export const encodeManifest = (manifest: Omit<Manifest, 'format' | 'version'>): string =>
  `${JSON.stringify({ format: FORMAT, version: VERSION, ...manifest }, null, 2)}\n`;
