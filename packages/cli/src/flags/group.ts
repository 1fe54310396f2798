/** Dataset groups on the command line: a name, or a JSON file of world parameters. */
import { readFileSync, statSync } from 'node:fs';
import { createWorld, DATASET_GROUPS, DYNAMICS, parseGroupName } from '@flowgrad/gridworld';
import type { WorldParameters } from '@flowgrad/gridworld';
import { readLimits } from '@flowgrad/files/node';
import { nearestName } from '@flowgrad/tensor';
import { UsageError } from '../usage-error.ts';

/** The name itself, if it is one of a group. */
export function parseGroup(text: string): string {
  try {
    parseGroupName(text);
    return text;
  } catch (error) {
    const meant = nearestGroup(text);
    const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
    throw new UsageError(`${(error as Error).message.replace(/^parseGroupName: /, '')}${hint}`);
  }
}

/** A name of a group, or the parameters that a file ending in .json holds. */
export function parseGroupOrFile(text: string): string | WorldParameters {
  return text.endsWith('.json') ? readParameters(text) : parseGroup(text);
}

function readParameters(path: string): WorldParameters {
  const { size } = statSync(path);
  if (size > readLimits.json) {
    throw new UsageError(
      `${path}: expected at most ${readLimits.json} bytes of world parameters, got ${size}`,
    );
  }
  const content = readFileSync(path, 'utf8');
  try {
    const parameters = JSON.parse(content) as WorldParameters;
    createWorld(parameters, { seed: 1 });
    return parameters;
  } catch (error) {
    throw new UsageError(`${path}: expected world parameters as JSON, got: ${(error as Error).message}`);
  }
}

const numbers = [
  ['SZ', /\d+/],
  ['STP', /\d+/],
  ['STD', /\d+(\.\d+)?/],
] as const;

/** The name with each part set right by itself; or the nearest of the paper's, if it has not five parts. */
function nearestGroup(name: string): string | undefined {
  const parts = name.toUpperCase().split('-');
  if (parts.length !== 5) return nearestName(name, DATASET_GROUPS);
  const number = (part: string, [prefix, digits]: (typeof numbers)[number]): string =>
    `${prefix}${digits.exec(part)?.[0] ?? '?'}`;
  const meant = [
    nearestName(parts[0], Object.keys(DYNAMICS)) ?? '?',
    number(parts[1], numbers[0]),
    number(parts[2], numbers[1]),
    nearestName(parts[3], ['NDRP', 'EDRP']) ?? '?',
    number(parts[4], numbers[2]),
  ].join('-');
  try {
    parseGroupName(meant);
    return meant;
  } catch {
    return undefined;
  }
}
