import type { Query } from '../../shared/engine/index.ts';
import { labelFrames, loadCalls, loadSamples } from '../../shared/samples/index.ts';
import type { FlameNode } from '../kit/index.ts';
import type { FlameAnswer } from './questions.ts';

/** Frames with a smaller share of the samples are left out: they would be narrower than a line. */
const LEAST_SHARE = 0.001;

interface Growing {
  readonly label: number;
  samples: number;
  self: number;
  readonly children: Map<number, Growing>;
}

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
  const { caller, frame, ...calls } = await loadCalls(query);
  const labels = labelFrames({ caller, frame, ...calls }, 'function');
  const root: Growing = { label: -1, samples, self: 0, children: new Map() };
  for (const [innermost, weight] of found) {
    const stack: number[] = [];
    for (let call = innermost; call >= 0; call = caller[call] ?? -1)
      stack.push(labels.of[frame[call] ?? 0] ?? 0);
    let node = root;
    for (let label = stack.pop(); label !== undefined; label = stack.pop()) {
      const child = node.children.get(label) ?? { label, samples: 0, self: 0, children: new Map() };
      node.children.set(label, child);
      child.samples += weight;
      node = child;
    }
    node.self += weight;
  }
  let keys = 0;
  const finish = ({ label, samples: all, self, children }: Growing): FlameNode => ({
    key: keys++,
    label: label === -1 ? 'all' : labels.name(label),
    module: label === -1 ? '' : labels.module(label),
    samples: all,
    self,
    children: [...children.values()]
      .filter((child) => child.samples >= samples * LEAST_SHARE)
      .sort((a, b) => b.samples - a.samples)
      .map(finish),
  });
  return { samples, weight_ns, root: finish(root) };
}
