/** What a picture of a graph says, in words. */
import { counted } from '@flowgrad/files';
import type { AttendedPart } from '../../run/run-record.ts';
import { formatFixed } from '../number-format.ts';

export const share = (value: number): string => `${formatFixed(100 * value, value < 0.1 ? 1 : 0)} %`;

/** Where the answer was ranked, and which answers were best. */
export function partNote(part: AttendedPart): string {
  const rank = part.rank ? [`answer ranked ${part.rank.raw}, filtered ${part.rank.filtered}`] : [];
  const best = part.answers.map(([name, score]) => `${name} ${formatFixed(score, 3)}`).join(', ');
  const rest =
    part.leftOut === 0 ? [] : [`${counted(part.leftOut, 'more node')} with some attention not shown`];
  return [...rank, `best: ${best}`, ...rest].join('; ');
}

/** `bob —next→ cid —next→ dot, 42 %`; undefined where no attention reached the answer. */
export function wayNote({ way, nodes }: AttendedPart): string | undefined {
  if (!way) return undefined;
  const [first, ...rest] = way.nodes.map((place) => nodes[place].name);
  const steps = rest.map((name, i) => ` —${way.types[i]}→ ${name}`).join('');
  return rest.length === 0
    ? `stays at ${first}, ${share(way.share)}`
    : `${first}${steps}, ${share(way.share)}`;
}
