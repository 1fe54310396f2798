import { DatasetFormatError, SPLIT_NAMES } from '@flowgrad/data';
import type { SplitName } from '@flowgrad/data';
import type { Splits } from '../dataset/splits.ts';
import type { Trajectories } from '../dataset/trajectories.ts';
import type { GridMap } from '../world/grid-map.ts';
import { nodeName, readNode } from './node-names.ts';
import { expectFields, readNumber, textLines } from './text-lines.ts';
import type { TextLine } from './text-lines.ts';
import type { DecodedTrajectories } from './trajectories-file.ts';

/** One pair a line: trajectory id, source, destination. */
export function encodeSplit(map: GridMap, trajectories: Trajectories, split: Int32Array): string {
  let text = '';
  for (const id of split) {
    text += `${id}\t${nodeName(map, trajectories.sources[id])}\t${nodeName(map, trajectories.destinations[id])}\n`;
  }
  return text;
}

/** Every trajectory is in one of the three files, once, and all trajectories of a source are in the same. */
export function decodeSplits(
  texts: Readonly<Record<SplitName, string>>,
  map: GridMap,
  decoded: DecodedTrajectories,
): Splits {
  const { trajectories } = decoded;
  const placeOf = new Map<number, string>();
  const splitOfSource = new Map<number, SplitName>();
  const readSplit = (split: SplitName): Int32Array =>
    Int32Array.from(textLines(`${split}.txt`, texts[split]), (line) => {
      const index = readPair(line, map, decoded);
      const earlier = placeOf.get(index);
      if (earlier !== undefined) {
        throw new DatasetFormatError(
          line.where,
          'each trajectory in one line',
          `${line.fields[0]}, also at ${earlier}`,
        );
      }
      placeOf.set(index, line.where);
      const source = trajectories.sources[index];
      const sourceSplit = splitOfSource.get(source) ?? split;
      if (sourceSplit !== split) {
        const got = `source ${line.fields[1]}, also in ${sourceSplit}.txt`;
        throw new DatasetFormatError(line.where, 'each source in one split', got);
      }
      splitOfSource.set(source, split);
      return index;
    });
  const splits = { train: readSplit('train'), valid: readSplit('valid'), test: readSplit('test') };
  for (const [id, index] of decoded.indexOfId) {
    if (!placeOf.has(index)) {
      const files = SPLIT_NAMES.map((name) => `${name}.txt`).join(', ');
      throw new DatasetFormatError(
        `trajectories.txt:${index + 1}`,
        `trajectory ${id} in one of ${files}`,
        'none',
      );
    }
  }
  return splits;
}

function readPair(line: TextLine, map: GridMap, { trajectories, indexOfId }: DecodedTrajectories): number {
  expectFields(line, 'trajectory id, source, destination', 3);
  const { fields, where } = line;
  const id = readNumber(where, 'a trajectory id', fields[0]);
  const index = indexOfId.get(id);
  if (index === undefined) throw new DatasetFormatError(where, 'an id of trajectories.txt', String(id));
  const ends = [readNode(where, map, fields[1]), readNode(where, map, fields[2])];
  if (ends[0] !== trajectories.sources[index] || ends[1] !== trajectories.destinations[index]) {
    const [source, destination] = [trajectories.sources[index], trajectories.destinations[index]];
    const expected = `${nodeName(map, source)} → ${nodeName(map, destination)} (trajectory ${id})`;
    throw new DatasetFormatError(where, expected, `${fields[1]} → ${fields[2]}`);
  }
  return index;
}
