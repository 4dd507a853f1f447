import type { ProcessLife } from './model.ts';

/** A process before its place in the tree is known. */
export interface LooseProcess {
  readonly upid: number;
  /** Null where its parent is not in the trace. */
  readonly parent_upid: number | null;
  readonly life: Omit<ProcessLife, 'depth' | 'parent'>;
}

/**
 * Puts children below their parents, each with its depth; siblings stay in the order in which they come, which is that in
 * which they were created.
 */
export function inTreeOrder(processes: readonly LooseProcess[]): readonly ProcessLife[] {
  const shown = new Set(processes.map(({ upid }) => upid));
  const children = new Map<number | null, LooseProcess[]>();
  for (const process of processes) {
    const { parent_upid } = process;
    const above = parent_upid !== null && shown.has(parent_upid) ? parent_upid : null;
    const siblings = children.get(above) ?? [];
    children.set(above, siblings);
    siblings.push(process);
  }
  const ordered: ProcessLife[] = [];
  const left = (children.get(null) ?? []).map((process) => ({
    process,
    depth: 0,
    parent: null as string | null,
  }));
  left.reverse();
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { process, depth, parent } = next;
    ordered.push({ ...process.life, depth, parent });
    for (const child of [...(children.get(process.upid) ?? [])].reverse())
      left.push({ process: child, depth: depth + 1, parent: process.life.name });
  }
  return ordered;
}
