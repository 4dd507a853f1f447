import { PairNumbers } from '../../shared/tables/index.ts';
import type { FlameNode } from './flame-node.ts';

/** A frame with a smaller share of all is left out: it would be narrower than a line. */
export const LEAST_SHARE = 0.001;

/** Where a path ends; and where all that comes after is too narrow to be drawn. */
export const [PATH_END, TOO_NARROW] = [-1, -2];

interface Growing {
  readonly of: number;
  samples: number;
  self: number;
  readonly children: Growing[];
}

/**
 * The tree of frames that paths are in. Each path has a weight. `frameAt` gives the number of its frame at each depth, the outermost at 0,
 * or where it ends. `tell` says what a frame is called, and its module. There can be a million paths: what is too narrow is not followed.
 */
export function growFlame(
  weights: Float64Array,
  frameAt: (path: number, depth: number) => number,
  tell: (frame: number) => Pick<FlameNode, 'label' | 'module'>,
): FlameNode {
  const root: Growing = { of: -1, samples: 0, self: 0, children: [] };
  for (let path = 0; path < weights.length; path++) root.samples += weights[path] ?? 0;
  const least = root.samples * LEAST_SHARE;
  /** The paths that go on, and by each the number of its node among those of the depth. */
  let paths = new Int32Array(weights.length);
  for (let path = 0; path < paths.length; path++) paths[path] = path;
  const nodeOf = new Int32Array(weights.length);
  /** By number; without those that are too narrow. */
  let nodes = new Map([[0, root]]);
  for (let depth = 0; paths.length > 0; depth++) {
    const numbers = new PairNumbers();
    const samples: number[] = [];
    let count = 0;
    for (let at = 0; at < paths.length; at++) {
      const path = paths[at] ?? 0;
      const weight = weights[path] ?? 0;
      const frame = frameAt(path, depth);
      const node = nodeOf[path] ?? 0;
      if (frame < 0) {
        const last = frame === PATH_END ? nodes.get(node) : undefined;
        if (last !== undefined) last.self += weight;
        continue;
      }
      const child = numbers.of(node, frame);
      if (child === samples.length) samples.push(weight);
      else samples[child] = (samples[child] ?? 0) + weight;
      nodeOf[path] = child;
      paths[count++] = path;
    }
    const wide = new Map<number, Growing>();
    samples.forEach((of, number) => {
      if (of < least) return;
      const child = { of: numbers.second(number), samples: of, self: 0, children: [] };
      nodes.get(numbers.first(number))?.children.push(child);
      wide.set(number, child);
    });
    nodes = wide;
    paths = paths.subarray(0, count).filter((path) => wide.has(nodeOf[path] ?? 0));
  }
  let keys = 0;
  const finish = (node: Growing): FlameNode => ({
    key: keys++,
    ...(node === root ? { label: 'all', module: '' } : tell(node.of)),
    samples: node.samples,
    self: node.self,
    children: node.children.sort((a, b) => b.samples - a.samples).map(finish),
  });
  return finish(root);
}
