/** What is in a dataset folder, in numbers. */
import { findUnreachable, SPLIT_NAMES } from '@flowgrad/data';
import type { Dataset, SplitName } from '@flowgrad/data';
import { textTable } from '@flowgrad/files';

interface PartStatistics {
  readonly examples: number;
  /** Different sources or, where something is asked, different pairs of source and query. */
  readonly questions: number;
  /** Mean number of steps of the ways taken; where they are known. */
  readonly pathLength?: number;
  /** Destinations farther than the steps. */
  readonly farther: number;
}

export interface DataStatistics {
  readonly name: string;
  readonly steps: number;
  readonly nodes: number;
  readonly edges: number;
  readonly edgeTypes: number;
  readonly queries: number;
  readonly splits: Readonly<Record<SplitName, PartStatistics>>;
}

export function dataStatistics({ name, steps, graph, queryNames, examples }: Dataset): DataStatistics {
  const farther = { train: 0, valid: 0, test: 0 };
  findUnreachable(graph, steps, examples, ({ split }) => (farther[split] += 1));
  const partOf = (split: SplitName): PartStatistics => {
    const { count, sources, queries, path } = examples[split];
    const questions = new Set(Array.from(sources, (source, i) => `${source} ${queries?.[i]}`)).size;
    let steps = 0;
    for (let i = 0; path && i < count; i++) steps += path(i).length - 1;
    return {
      examples: count,
      questions,
      ...(path && { pathLength: steps / count }),
      farther: farther[split],
    };
  };
  return {
    name,
    steps,
    nodes: graph.nodeCount,
    edges: graph.edgeCount,
    edgeTypes: graph.edgeTypeCount,
    queries: queryNames?.length ?? 0,
    splits: { train: partOf('train'), valid: partOf('valid'), test: partOf('test') },
  };
}

export function dataStatisticsText(statistics: DataStatistics): string {
  const { name, steps, nodes, edges, edgeTypes, queries, splits } = statistics;
  const rows = SPLIT_NAMES.map((split) => {
    const { examples, questions, pathLength, farther } = splits[split];
    return [split, String(examples), String(questions), pathLength?.toFixed(2) ?? '–', String(farther)];
  });
  return [
    `${name}: ${nodes} nodes, ${edges} edges of ${edgeTypes} types, ${queries} queries, ${steps} steps`,
    '',
    textTable(['', 'examples', 'questions', 'steps of a way', `farther than ${steps}`], rows),
  ].join('\n');
}
