/** How long it takes to read a dataset folder. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDataFolder } from '@flowgrad/data/node';
import { formatTable } from './table.ts';

/** Half of the lines are edges of a ring with shortcuts, half are examples two steps along it. */
export async function benchData(lines: number): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'flowgrad-bench-data-'));
  try {
    const rows: string[][] = [];
    for (const kind of ['names', 'numbers'] as const) {
      await writeRing(root, kind, lines / 2);
      const start = performance.now();
      const { graph } = await readDataFolder(root);
      const seconds = (performance.now() - start) / 1000;
      rows.push([kind, String(graph.nodeCount), String(graph.edgeCount), `${seconds.toFixed(2)} s`]);
    }
    return formatTable(['nodes as', 'nodes', 'edges', `${lines} lines`], rows);
  } finally {
    await rm(root, { recursive: true });
  }
}

async function writeRing(folder: string, kind: 'names' | 'numbers', count: number): Promise<void> {
  const nodes = count / 10;
  const name = (node: number): string => `${kind === 'names' ? 'node ' : ''}${node % nodes}`;
  const manifest = {
    ...{ format: 'flowgrad-dataset', version: 1, name: 'ring', steps: 2 },
    ...(kind === 'numbers' && { nodes }),
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const edges = ['sender\ttype\treceiver'];
  const examples = ['split\tsource\tdestination'];
  for (let i = 0; i < count; i++) {
    const hop = 1 + Math.floor(i / nodes);
    edges.push(`${name(i)}\thop ${hop}\t${name(i + hop)}`);
    const split = i % 10 === 0 ? 'test' : i % 10 === 1 ? 'valid' : 'train';
    examples.push(`${split}\t${name(i)}\t${name(i + 2)}`);
  }
  await writeFile(join(folder, 'edges.tsv'), `${edges.join('\n')}\n`);
  await writeFile(join(folder, 'examples.tsv'), `${examples.join('\n')}\n`);
}
