import type { MeanwhileSpan } from '../../shared/ready-waits/index.ts';
import { STANDINGS } from '../../shared/why-late/index.ts';
import type { LaneSpan } from '../kit/index.ts';

/**
 * Spans as parts of lanes. A run that is drawn by itself fills its lane. Sums of short runs in one step stand on one
 * another, each as high as its share of what the runs drawn by themselves leave of the step. Idle time is left out.
 */
export function laneSpans(spans: readonly MeanwhileSpan[]): LaneSpan[] {
  const taken = takenBySingles(spans);
  const tops = new Map<string, number>();
  return spans
    .filter(({ standing }) => standing !== 'idle')
    .map((span) => {
      const { cpu: lane, ts, dur, standing } = span;
      const series = STANDINGS.indexOf(standing);
      if (span.thread !== null) return { lane, ts, dur, series, from: 0, to: 1 };
      const step = stepKey(span);
      const room_ns = Math.max(span.ran_ns, dur - (taken.get(step) ?? 0));
      const from = tops.get(step) ?? 0;
      const to = Math.min(1, from + span.ran_ns / room_ns);
      tops.set(step, to);
      return { lane, ts, dur, series, from, to };
    });
}

function stepKey({ cpu, ts }: Pick<MeanwhileSpan, 'cpu' | 'ts'>): string {
  return `${cpu} ${ts}`;
}

/** For each step with short runs: how much of it runs take that are drawn by themselves. */
function takenBySingles(spans: readonly MeanwhileSpan[]): ReadonlyMap<string, number> {
  const taken = new Map<string, number>();
  const steps = new Map<string, MeanwhileSpan>();
  for (const span of spans) if (span.thread === null) steps.set(stepKey(span), span);
  const first = steps.values().next().value;
  if (first === undefined) return taken;
  const { dur: step_ns } = first;
  for (const { thread, cpu, ts, dur } of spans) {
    if (thread === null) continue;
    const before = (((ts - first.ts) % step_ns) + step_ns) % step_ns;
    for (let start = ts - before; start < ts + dur; start += step_ns) {
      const key = stepKey({ cpu, ts: start });
      if (!steps.has(key)) continue;
      const inStep_ns = Math.min(ts + dur, start + step_ns) - Math.max(ts, start);
      taken.set(key, (taken.get(key) ?? 0) + inStep_ns);
    }
  }
  return taken;
}
