import type { FlameNode } from './flame-node.ts';

/** A frame with a smaller share of all is left out: it would be narrower than a line. */
const LEAST_SHARE = 0.001;

/** A path from the outermost frame to the innermost, by numbers of frames, and how much lies at its end. */
export interface FlamePath {
  readonly path: readonly number[];
  readonly weight: number;
}

interface Growing {
  readonly of: number;
  samples: number;
  self: number;
  readonly children: Map<number, Growing>;
}

/** The tree of frames that paths are in; `tell` says what a frame is called, and its module. */
export function growFlame(
  paths: Iterable<FlamePath>,
  tell: (frame: number) => Pick<FlameNode, 'label' | 'module'>,
): FlameNode {
  const root: Growing = { of: -1, samples: 0, self: 0, children: new Map() };
  for (const { path, weight } of paths) {
    let node = root;
    node.samples += weight;
    for (const of of path) {
      const child = node.children.get(of) ?? { of, samples: 0, self: 0, children: new Map() };
      node.children.set(of, child);
      child.samples += weight;
      node = child;
    }
    node.self += weight;
  }
  let keys = 0;
  const finish = (node: Growing): FlameNode => ({
    key: keys++,
    ...(node === root ? { label: 'all', module: '' } : tell(node.of)),
    samples: node.samples,
    self: node.self,
    children: [...node.children.values()]
      .filter(({ samples }) => samples >= root.samples * LEAST_SHARE)
      .sort((a, b) => b.samples - a.samples)
      .map(finish),
  });
  return finish(root);
}
