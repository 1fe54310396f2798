import { UsageError } from '../usage-error.ts';

/** `12`, `best` or `last`. */
export function parseEpoch(text: string): number | 'best' | 'last' {
  if (text === 'best' || text === 'last') return text;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError(`expected an epoch ≥ 1, best or last, got '${text}'`);
}
