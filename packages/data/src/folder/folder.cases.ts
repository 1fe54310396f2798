/** A small dataset with everything that a folder can hold, as text. */
import type { DatasetFile } from './files.ts';
import { readDataset } from './read-dataset.ts';
import type { Dataset } from '../dataset.ts';

export type Files = Partial<Record<DatasetFile, string | Uint8Array>>;

export const manifest = { format: 'flowgrad-dataset', version: 1, name: 'family', steps: 2 };
export const family = {
  'manifest.json': JSON.stringify({ ...manifest, asksEdges: true }),
  'nodes.tsv': 'node\tx\ty\tage\nann\t0\t0\t61\nbob\t1\t0\t35\ncid\t2\t0.5\t9\ndot\t-1\t3\t8\n',
  'edges.tsv': [
    ...['sender\ttype\treceiver', 'ann\tparent\tbob', 'bob\tparent^-1\tann', 'bob\tparent\tcid'],
    ...['cid\tfriend\tdot', 'dot\tfriend\tcid', ''],
  ].join('\n'),
  'examples.tsv': [
    ...['split\tsource\tdestination\tquery\tpath', 'train\tann\tbob\tparent\tann\tbob'],
    ...['train\tann\tcid\tparent\tann\tbob\tcid', 'valid\tbob\tdot\tfriend\tbob\tcid\tdot'],
    ...['test\tdot\tcid\tfriend\tdot\tcid', ''],
  ].join('\n'),
  'true.tsv': 'source\tdestination\tquery\nann\tdot\tfriend\n',
} as const satisfies Files;

/** There in Node and in browsers. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

/** In pieces of so many bytes. */
export function readFiles(files: Files, piece = 1 << 16): Promise<Dataset> {
  return readDataset((file) => {
    const content = files[file];
    if (content === undefined) return undefined;
    const bytes = bytesOf(content);
    return Array.from({ length: Math.ceil(bytes.length / piece) }, (_, i) =>
      bytes.subarray(i * piece, (i + 1) * piece),
    );
  });
}
