import type { NodeFeatures, Positions } from '../dataset.ts';
import { columnsOf, NODES } from './files.ts';
import { DatasetFormatError, quoted } from './format-error.ts';
import type { Naming } from './naming.ts';
import { readTable } from './table.ts';
import type { Chunks } from './text-lines.ts';

interface KnownOfNodes {
  readonly positions?: Positions;
  readonly features?: NodeFeatures;
}

/** Every node once, and what is known of it: x and y are its position, all other columns are features. */
export async function readNodes(chunks: Chunks, nodes: Naming): Promise<KnownOfNodes> {
  const lineOf = new Map<number, number>();
  const columns: number[][] = [];
  let names: readonly string[] = [];
  await readTable(NODES, chunks, columnsOf[NODES], (head) => {
    const place = head.placeOf('node');
    names = head.names.filter((name) => name !== 'node');
    if (names.includes('x') !== names.includes('y')) {
      throw new DatasetFormatError(`${NODES}:1`, 'both x and y, or neither', quoted(head.names.join('\t')));
    }
    names.forEach(() => columns.push([]));
    return (fields, line) => {
      const where = (): string => `${NODES}:${line}`;
      const node = nodes.read(fields[place], where);
      const earlier = lineOf.get(node);
      if (earlier !== undefined) {
        throw new DatasetFormatError(
          where(),
          'each node once',
          `${quoted(fields[place])} of line ${earlier} again`,
        );
      }
      lineOf.set(node, line);
      names.forEach((name, column) => {
        columns[column][node] = readValue(fields[head.placeOf(name)], name, where);
      });
    };
  });
  if (nodes.count === 0) throw new DatasetFormatError(NODES, 'at least one node', 'none');
  if (lineOf.size < nodes.count && names.length > 0) {
    throw new DatasetFormatError(NODES, `a line for each of ${nodes.count} nodes`, `${lineOf.size} lines`);
  }
  const column = (name: string): number[] => columns[names.indexOf(name)];
  const rest = names.filter((name) => name !== 'x' && name !== 'y');
  const features = { width: rest.length, values: new Float32Array(nodes.count * rest.length) };
  rest.forEach((name, k) => {
    column(name).forEach((value, node) => (features.values[node * rest.length + k] = value));
  });
  return {
    ...(names.includes('x') && { positions: { x: column('x'), y: column('y') } }),
    ...(rest.length > 0 && { features }),
  };
}

function readValue(text: string, name: string, where: () => string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (Math.abs(value) <= 1e30) return value;
  throw new DatasetFormatError(where(), `${name} as a number`, quoted(text));
}
