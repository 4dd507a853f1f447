import { sum } from 'd3';
import { formatCount, formatDuration, formatShare } from '../../shared/model/index.ts';
import type { SwitchesModel } from './model.ts';
import { KERNEL_NORMAL } from './thresholds.ts';

/** Context switches per second in a bucket; 0 for one that is not there. */
export function rateIn(
  edges: readonly number[],
  switches: readonly number[] | undefined,
  bucket: number,
): number {
  const length_ns = (edges[bucket + 1] ?? 0) - (edges[bucket] ?? 0);
  return length_ns > 0 ? ((switches?.[bucket] ?? 0) * 1e9) / length_ns : 0;
}

/** Context switches per second in each bucket. */
export function ratesOf(edges: readonly number[], switches: readonly number[]): readonly number[] {
  return switches.map((_, bucket) => rateIn(edges, switches, bucket));
}

/** A rate in words: `2,000,000/s`. */
export function formatRate(per_s: number): string {
  return `${formatCount(per_s)}/s`;
}

/** Named numbers of the whole range. */
export function summary(model: SwitchesModel): readonly (readonly [string, string])[] {
  const { switches, to_idle, edges, dur_ns, kernel } = model;
  const all = sum(switches);
  const busiest = switches.reduce((most, _, bucket) => Math.max(most, rateIn(edges, switches, bucket)), 0);
  const bucket_ns = (edges[2] ?? edges[1] ?? 0) - (edges[1] ?? 0) || dur_ns;
  return [
    ['context switches', formatCount(all)],
    ['per second', formatCount((all * 1e9) / dur_ns)],
    [`busiest ${formatDuration(bucket_ns)}`, formatRate(busiest)],
    ['to idle', formatShare(all === 0 ? 0 : sum(to_idle) / all)],
    ['kernel time of all CPU time', kernel === null ? 'not recorded' : formatShare(kernel)],
  ];
}

/** What the rates mean, against the thresholds and their source. */
export function judgement(model: SwitchesModel): readonly string[] {
  const per_s = (sum(model.switches) * 1e9) / model.dur_ns;
  const bounds = model.thresholds.map((bound) => `${formatRate(bound.per_s)} ${bound.means}`);
  const [highest] = model.thresholds;
  if (highest === undefined) return [];
  const times = per_s / highest.per_s;
  const verdict =
    times > 1
      ? `A storm: ${times.toFixed(1)} × the bound, on average over the range.`
      : `No storm on average over the range: ${formatShare(times)} of the bound.`;
  const source = `Bounds: ${bounds.join(', ')}. Source: ${highest.source}.`;
  const kernel =
    model.kernel === null || model.kernel <= KERNEL_NORMAL
      ? []
      : [
          `${formatShare(model.kernel)} of all CPU time was in the kernel; ${formatShare(KERNEL_NORMAL)} is normal at most, by the same source.`,
        ];
  return [verdict, source, ...kernel];
}
