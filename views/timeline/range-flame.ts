import type { Query } from '../../shared/engine/index.ts';
import { labelFrames, labelsOfStack, loadCalls, loadSamples } from '../../shared/samples/index.ts';
import { growFlame } from '../kit/index.ts';
import type { FlameAnswer } from './questions.ts';

/** The stacks of the samples of some threads, or of all, within a range; null where there are none. */
export async function flameOf(
  query: Query,
  range: { readonly start: number; readonly end: number },
  utids: ReadonlySet<number> | null,
): Promise<FlameAnswer> {
  const { count, callsite, kind, kinds } = await loadSamples(query, range);
  const found = new Map<number, number>();
  let [samples, weight_ns] = [0, 0];
  for (let sample = 0; sample < count; sample++) {
    const of = kinds[kind[sample] ?? -1];
    if (of === undefined || utids?.has(of.utid) === false) continue;
    const call = callsite[sample] ?? -1;
    found.set(call, (found.get(call) ?? 0) + 1);
    samples++;
    weight_ns += of.weight_ns;
  }
  if (samples === 0) return null;
  const calls = await loadCalls(query);
  const labels = labelFrames(calls, 'function');
  const paths = Array.from(found, ([call, weight]) => ({ path: labelsOfStack(calls, labels, call), weight }));
  const tell = (label: number) => ({ label: labels.name(label), module: labels.module(label) });
  return { samples, weight_ns, root: growFlame(paths, tell) };
}
