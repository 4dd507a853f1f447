import type { ProcessLife } from './model.ts';

/** A process before its place in the tree is known. */
export type LooseProcess = Omit<ProcessLife, 'depth' | 'parent'>;

/** Puts children below their parents, each with its depth; siblings stay in the order in which they come. */
export function inTreeOrder(processes: readonly LooseProcess[]): readonly ProcessLife[] {
  const byPid = new Map<number, LooseProcess[]>();
  for (const process of processes) listAt(byPid, process.pid).push(process);
  const children = new Map<LooseProcess | null, LooseProcess[]>();
  for (const process of processes) listAt(children, parentOf(process, byPid)).push(process);
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

/** The process that had the parent's id when the child was created; its id may have been another's before or since. */
function parentOf(
  child: LooseProcess,
  byPid: ReadonlyMap<number, readonly LooseProcess[]>,
): LooseProcess | null {
  if (child.parent_pid === null || child.parent_pid === child.pid) return null;
  const created = child.create_ts ?? -Infinity;
  const lived = ({ create_ts, exit_ts }: LooseProcess) =>
    (create_ts ?? -Infinity) <= created && (exit_ts ?? Infinity) >= created;
  const found = byPid.get(child.parent_pid)?.filter(lived).at(-1) ?? null;
  // Of two that were there before the trace, the younger may have the id that the other's parent once had.
  return found !== null && isBelow(found, child, byPid, lived) ? null : found;
}

/** Whether a process descends from another, where both were there before the trace: then one of the ids is another's. */
function isBelow(
  process: LooseProcess,
  above: LooseProcess,
  byPid: ReadonlyMap<number, readonly LooseProcess[]>,
  lived: (process: LooseProcess) => boolean,
): boolean {
  const seen = new Set<LooseProcess>();
  let at: LooseProcess | undefined = process;
  while (at !== undefined && !seen.has(at)) {
    if (at === above) return true;
    seen.add(at);
    at = at.parent_pid === null ? undefined : byPid.get(at.parent_pid)?.filter(lived).at(-1);
  }
  return false;
}

function listAt<K, V>(map: Map<K, V[]>, key: K): V[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
