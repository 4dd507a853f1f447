import type { ProcessLife } from './model.ts';

/** A process before its place in the tree is known. */
export type LooseProcess = Omit<ProcessLife, 'depth' | 'parent'>;

/**
 * Puts children below their parents, each with its depth; siblings stay in the order in which they come, which is that in
 * which they were created.
 */
export function inTreeOrder(processes: readonly LooseProcess[]): readonly ProcessLife[] {
  const byPid = new Map<number, LooseProcess[]>();
  const children = new Map<LooseProcess | null, LooseProcess[]>();
  for (const process of processes) {
    listAt(children, parentOf(process, byPid)).push(process);
    listAt(byPid, process.pid).push(process);
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
    ordered.push({ ...process, depth, parent });
    for (const child of [...(children.get(process) ?? [])].reverse())
      left.push({ process: child, depth: depth + 1, parent: process.name });
  }
  return ordered;
}

/** The one of the earlier processes that had the parent's id when the child was created. */
function parentOf(
  child: LooseProcess,
  earlierByPid: ReadonlyMap<number, readonly LooseProcess[]>,
): LooseProcess | null {
  const created = child.create_ts ?? -Infinity;
  const lived = ({ create_ts, exit_ts }: LooseProcess) =>
    (create_ts ?? -Infinity) <= created && (exit_ts ?? Infinity) >= created;
  return (
    earlierByPid
      .get(child.parent_pid ?? 0)
      ?.filter(lived)
      .at(-1) ?? null
  );
}

function listAt<K, V>(map: Map<K, V[]>, key: K): V[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
