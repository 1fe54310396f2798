/** What a walker that remembers looks out for, as a picture of its map. */
import type { Trainer } from '@flowgrad/evaluation';
import { scope } from '@flowgrad/tensor';
import { UsageError } from '../usage-error.ts';
import type { AttentionFrame } from './attention-of.ts';

/** One channel of what there is to see at each place, above the place where that is least. The first tells most. */
export async function sightsFrame({ model, dataset }: Trainer, channel: number): Promise<AttentionFrame> {
  const { sights } = model;
  if (!sights)
    throw new UsageError('show: expected a model that remembers for --channel, got one without memory');
  const rows = await scope(() => sights().toArray() as Promise<number[][]>);
  // A run of several worlds knows their places, too: those of its own come first.
  const places = rows.slice(0, dataset.graph.nodeCount);
  const count = rows[0].length;
  if (channel > count) throw new UsageError(`show: expected --channel in 1..${count}, got ${channel}`);
  const channels = Array.from({ length: count }, (_, c) => Float32Array.from(places, (place) => place[c]));
  const telling = channels.map(deviation);
  const order = [...channels.keys()].sort((a, b) => telling[b] - telling[a]);
  const chosen = channels[order[channel - 1]];
  const lowest = Math.min(...chosen);
  return {
    title: `what it remembers, channel ${channel} of ${count}`,
    distribution: chosen.map((sight) => sight - lowest),
  };
}

function deviation(values: Float32Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
