import type { Query } from '../engine/index.ts';
import { DEFAULT_INTERVAL_NS, labelFrames, loadCalls, loadSamples } from '../samples/index.ts';
import type { Stretch } from '../tables/index.ts';
import { sweepOf } from './blame.ts';

/** How long others waited for the code of an image, by samples. */
export interface ModuleBlame {
  /** The file name of the image; null where the code lies in no known image. */
  readonly module: string | null;
  /** While threads for which they waited ran this code. */
  readonly active_ns: number;
  /** CPU time in this code, waited for or not. */
  readonly ran_ns: number;
}

/**
 * For which code others waited in a range: a sample counts its interval once for each who waited for its thread then. It goes to the image
 * of the innermost call. Samples are in the whole trace alone: where only its outline is there, it is loaded.
 */
export async function loadModuleBlame(query: Query, range: Stretch): Promise<ModuleBlame[]> {
  const { count, ts, callsite, kind, kinds } = await loadSamples(query, range);
  const calls = await loadCalls(query);
  const labels = labelFrames(calls, 'module');
  const utid = Int32Array.from(kind, (each) => kinds[each]?.utid ?? 0);
  const waiting = (await sweepOf(query, range, { instants: { ts, utid } })).waitingAt();
  const sums = new Map<number, { active_ns: number; ran_ns: number }>();
  for (let sample = 0; sample < count; sample++) {
    const label = labels.of[calls.frame[callsite[sample] ?? -1] ?? -1] ?? -1;
    const sum = sums.get(label) ?? { active_ns: 0, ran_ns: 0 };
    sums.set(label, sum);
    const told_ns = kinds[kind[sample] ?? 0]?.weight_ns ?? 0;
    const weight_ns = told_ns > 0 ? told_ns : DEFAULT_INTERVAL_NS;
    sum.active_ns += (waiting[sample] ?? 0) * weight_ns;
    sum.ran_ns += weight_ns;
  }
  return [...sums]
    .map(([label, sum]) => ({ module: labels.module(label) || null, ...sum }))
    .sort((a, b) => b.active_ns - a.active_ns || b.ran_ns - a.ran_ns);
}
