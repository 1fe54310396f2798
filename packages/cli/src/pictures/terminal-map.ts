/** A distribution over the nodes of a map, in a terminal: two columns for a node, north up. */
import { viridis } from '@flowgrad/gridworld';
import type { GridMap } from '@flowgrad/gridworld';

export interface TerminalMapOptions {
  readonly map: GridMap;
  /** [nodes] of at least 0. */
  readonly distribution: ArrayLike<number>;
  readonly colour: boolean;
  readonly source: number;
  readonly destination?: number | undefined;
}

/** From nothing to the largest value. */
const shades = ' .:-=+*#%@';

export function terminalMap({ map, distribution, colour, source, destination }: TerminalMapOptions): string {
  const largest = Math.max(...Array.from(distribution), Number.MIN_VALUE);
  const markOf = (node: number): string => (node === source ? 'S' : node === destination ? 'D' : '');
  const cell = (node: number): string => {
    if (node < 0) return colour ? '  ' : '  ';
    const share = distribution[node] / largest;
    const mark = markOf(node);
    if (colour) return coloured(share, mark.padEnd(2));
    // Small attention is attention: the square root lets it be seen.
    const shade = shades[Math.min(shades.length - 1, Math.ceil(Math.sqrt(share) * (shades.length - 1)))];
    return `${mark || (share > 0 ? shade : '·')}${shade}`;
  };
  const rows: string[] = [];
  for (let y = map.size - 1; y >= 0; y--) {
    const nodes = Array.from({ length: map.size }, (_, x) => map.nodeOfCell[y * map.size + x]);
    rows.push(nodes.map(cell).join('').trimEnd());
  }
  return rows.join('\n');
}

function coloured(share: number, text: string): string {
  const position = Math.sqrt(share);
  const rgb = Number.parseInt(viridis(position).slice(1), 16);
  const channels = [16, 8, 0].map((shift) => (rgb >> shift) & 0xff).join(';');
  const ink = position > 0.6 ? '0;0;0' : '255;255;255';
  return `\x1b[48;2;${channels}m\x1b[38;2;${ink}m${text}\x1b[0m`;
}

/** Whether 24-bit colour is wanted and understood. */
export function hasTrueColour(isTTY: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] === '3';
  return isTTY && /truecolor|24bit/i.test(env['COLORTERM'] ?? '');
}
