import type { SampleColumns } from '../../shared/samples/index.ts';

const kept = new WeakMap<SampleColumns, SampleColumns>();

/**
 * The same samples in the order of their calls, so that whoever sums them along the tree of calls goes through memory in its
 * order. Sorted once for samples. `calls` is how many calls the tree has.
 */
export function inCallOrder(samples: SampleColumns, calls: number): SampleColumns {
  const before = kept.get(samples);
  if (before !== undefined) return before;
  const { count, kinds } = samples;
  const next = new Int32Array(calls + 1);
  for (let row = 0; row < count; row++) {
    const after = (samples.callsite[row] ?? 0) + 1;
    next[after] = (next[after] ?? 0) + 1;
  }
  for (let at = 1; at < next.length; at++) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0);
  const [callsite, kind] = [new Int32Array(count), new Int32Array(count)];
  for (let row = 0; row < count; row++) {
    const call = samples.callsite[row] ?? 0;
    const to = next[call] ?? 0;
    next[call] = to + 1;
    callsite[to] = call;
    kind[to] = samples.kind[row] ?? 0;
  }
  const ordered = { count, callsite, kind, kinds };
  kept.set(samples, ordered);
  return ordered;
}
