/** A dataset from the files of its folder, with the hash that ties runs to it. Loaded when it is asked for: most visits are to grids. */
import { readDataset } from '@flowgrad/data';
import type { Dataset, DatasetFile } from '@flowgrad/data';
import type { DataFiles } from './data-files.ts';

/** More is not drawn, nor laid out, in any time that a person waits. */
export const mostDrawn = { nodes: 20_000, edges: 200_000 };

/** Every mistake is an error with file and line. The hash is that of `readDataFolder` of @flowgrad/data/node. */
export async function readFiles(files: DataFiles): Promise<Dataset & { readonly sha256: string }> {
  const read: [name: DatasetFile, content: Blob][] = [];
  const dataset = await readDataset((name) => {
    const content = files[name];
    if (!content) return undefined;
    read.push([name, content]);
    return piecesOf(content);
  });
  const { nodeCount, edgeCount } = dataset.graph;
  if (nodeCount > mostDrawn.nodes || edgeCount > mostDrawn.edges) {
    throw new RangeError(
      `open: expected at most ${mostDrawn.nodes} nodes and ${mostDrawn.edges} edges, got ${nodeCount} and ${edgeCount} in ` +
        `${dataset.name} (flowgrad train --data takes more)`,
    );
  }
  return { ...dataset, sha256: await hashOf(read) };
}

async function* piecesOf(content: Blob): AsyncGenerator<Uint8Array> {
  for (const reader = content.stream().getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

async function hashOf(read: readonly [name: DatasetFile, content: Blob][]): Promise<string> {
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (!subtle) {
    throw new Error(
      'open: expected a page that can compute checksums, got one without (datasets are opened over HTTPS or from this machine)',
    );
  }
  const bytes = await new Blob(read.flatMap(([name, content]) => [`${name}\n`, content])).arrayBuffer();
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
