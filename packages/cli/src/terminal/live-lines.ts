/** A few lines at the end of a terminal that are drawn over, and lines that stay above them. */
import type { Output } from '../command.ts';

export interface LiveLines {
  /** The lines from now on; elsewhere than on a terminal nothing happens. */
  show(this: void, lines: readonly string[]): void;
  /** A line that stays. */
  above(this: void, line: string): void;
  /** Takes the lines away. */
  end(this: void): void;
}

const redrawMilliseconds = 200;

export function createLiveLines(output: Output): LiveLines {
  let lines: readonly string[] = [];
  let onScreen = 0;
  let drawn = -Infinity;
  // Up to the first of them, and clear all below.
  const erased = (): string => (onScreen === 0 ? '' : `\x1b[${onScreen}A\r\x1b[J`);
  const draw = (above = ''): void => {
    const shown = lines.map((line) => `${line.slice(0, output.columns - 1)}\n`);
    output.write(`${erased()}${above}${shown.join('')}`);
    onScreen = shown.length;
    drawn = performance.now();
  };
  return {
    show: (next) => {
      lines = next;
      if (output.isTTY && performance.now() - drawn >= redrawMilliseconds) draw();
    },
    above: (line) => {
      if (output.isTTY) draw(`${line}\n`);
      else output.write(`${line}\n`);
    },
    end: () => {
      lines = [];
      if (output.isTTY) draw();
    },
  };
}
