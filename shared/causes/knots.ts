import type { Blame } from './blame.ts';
import { NOT_ENDED } from './wakers.ts';
import type { WaitsFor } from './woken-waits.ts';

/** So much of a thread's blocked time may be for a thread outside its knot. Less than that delays the thread little. */
const LEAST_SHARE = 0.05;

/** Threads that wait only for each other: what slows them down is among them. */
export interface Knot {
  /** Most blame first. */
  readonly utids: readonly number[];
  /** How long they waited for each other. */
  readonly within_ns: number;
  /** Their blame together: as the ends of chains, whoever waited. */
  readonly active_ns: number;
  readonly blocked_ns: number;
  readonly ran_ns: number;
}

/** No thread: a DPC, an interrupt, or what was not recorded. */
const OUTSIDE = -1;

/**
 * The knots of the waits of threads for each other (wPerf, OSDI 2018): groups of two threads or more. Each thread of a group waits
 * for each other one, directly or through others. None waits for a thread, a disk or a timer outside the group. A thread's waits
 * for what has less than a twentieth of its blocked time do not count. Waits that the recording does not end do not count either.
 */
export function findKnots(waitsFor: readonly WaitsFor[], blames: readonly Blame[]): Knot[] {
  const waits = byThread(waitsFor);
  const targets = new Map(
    [...waits].map(([utid, of]) => {
      const all = [...of.values()].reduce((sum, ns) => sum + ns, 0);
      return [utid, [...of].filter(([, ns]) => ns >= all * LEAST_SHARE).map(([to]) => to)];
    }),
  );
  const blameOf = new Map(blames.map((blame) => [blame.utid, blame]));
  const knots = strongGroups(targets).filter((group) => {
    const own = new Set(group);
    return group.length > 1 && group.every((utid) => targets.get(utid)?.every((to) => own.has(to)));
  });
  return knots
    .map((group): Knot => {
      const known = group.flatMap((utid) => blameOf.get(utid) ?? []);
      const sum = (of: (blame: Blame) => number) => known.reduce((total, blame) => total + of(blame), 0);
      const activeOf = (utid: number) => blameOf.get(utid)?.active_ns ?? 0;
      const own = new Set(group);
      const within = group.flatMap((utid) => [...(waits.get(utid) ?? [])].filter(([to]) => own.has(to)));
      return {
        utids: group.sort((a, b) => activeOf(b) - activeOf(a) || a - b),
        within_ns: within.reduce((total, [, ns]) => total + ns, 0),
        active_ns: sum(({ active_ns }) => active_ns),
        blocked_ns: sum(({ blocked_ns }) => blocked_ns),
        ran_ns: sum(({ ran_ns }) => ran_ns),
      };
    })
    .sort((a, b) => b.within_ns - a.within_ns);
}

/** How long each thread waited for each other one, or for what is outside of threads. */
function byThread(waitsFor: readonly WaitsFor[]): ReadonlyMap<number, Map<number, number>> {
  const waits = new Map<number, Map<number, number>>();
  for (const { utid, waker, ns } of waitsFor) {
    if (waker === NOT_ENDED) continue;
    const of = waits.get(utid) ?? new Map<number, number>();
    waits.set(utid, of);
    const to = waker > 0 ? waker : OUTSIDE;
    of.set(to, (of.get(to) ?? 0) + ns);
  }
  return waits;
}

/** The groups whose members all lead to each other (Tarjan 1972), without recursion: a chain may have thousands. */
function strongGroups(targets: ReadonlyMap<number, readonly number[]>): number[][] {
  const found: number[][] = [];
  const [order, lowest] = [new Map<number, number>(), new Map<number, number>()];
  const [open, isOpen] = [new Array<number>(), new Set<number>()];
  for (const root of targets.keys()) {
    if (order.has(root)) continue;
    const path: { readonly node: number; next: number }[] = [];
    const enter = (node: number) => {
      lowest.set(node, order.size);
      order.set(node, order.size);
      open.push(node);
      isOpen.add(node);
      path.push({ node, next: 0 });
    };
    const lower = (node: number, to: number | undefined) =>
      lowest.set(node, Math.min(lowest.get(node) ?? 0, to ?? Infinity));
    enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { node } = top;
      const to = targets.get(node)?.[top.next++];
      if (to !== undefined) {
        if (!order.has(to)) enter(to);
        else if (isOpen.has(to)) lower(node, order.get(to));
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above !== undefined) lower(above.node, lowest.get(node));
      if (lowest.get(node) !== order.get(node)) continue;
      const group = open.splice(open.indexOf(node));
      for (const member of group) isOpen.delete(member);
      found.push(group);
    }
  }
  return found;
}
