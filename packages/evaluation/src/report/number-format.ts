import type { MetricName } from '../metrics/best-epochs.ts';

export const metricTitles: Readonly<Record<MetricName, string>> = {
  hits1: 'Hits@1',
  hits5: 'Hits@5',
  hits10: 'Hits@10',
  mr: 'MR',
  mrr: 'MRR',
};

const decimals: Readonly<Record<MetricName, number>> = { hits1: 1, hits5: 1, hits10: 1, mr: 2, mrr: 3 };

export function formatMetric(metric: MetricName, value: number): string {
  return formatFixed(value, decimals[metric]);
}

/** With its sign; what rounds to 0 has none. */
export function formatDifference(metric: MetricName, value: number): string {
  const text = formatMetric(metric, value);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** A minus is as wide as a plus, a hyphen is not. */
export function formatFixed(value: number, places: number): string {
  if (!Number.isFinite(value)) return '–';
  const text = value.toFixed(places);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}

/** `4.2 s`, `42 s`, `7 min 41 s`, `3 h 07 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** `1, 2, 5`. */
export const listed = (items: readonly (string | number)[]): string => items.join(', ');
