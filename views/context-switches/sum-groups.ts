import {
  ownedProcess,
  ownedThread,
  processLabel,
  threadLabel,
  type ThreadName,
} from '../../shared/threads/index.ts';
import type { SwitchGroup } from './model.ts';
import type { Grouping } from './params.ts';

/** Context switches and samples of one thread, or of one CPU. */
export interface Counted {
  /** The utid, or the number of the CPU. */
  readonly id: number;
  readonly switches: number;
  /** Null for a CPU. */
  readonly ran_ns: number | null;
  readonly samples: number;
  readonly in_kernel: number;
}

/** Groups that are kept at most. */
const GROUPS_MAX = 500;

/** A group, and the ids of what is counted in it. */
export interface CountedGroup {
  /** The upid, −1 where it is not known, the utid, or the number of the CPU. */
  readonly key: number;
  readonly ids: readonly number[];
  readonly group: SwitchGroup;
}

/** The groups with most switches, most first. */
export interface CountedGroups {
  readonly groups: readonly CountedGroup[];
  /** How many there are in all. */
  readonly count: number;
}

interface Sum {
  readonly key: number;
  readonly ids: number[];
  readonly first: number;
  switches: number;
  ran_ns: number | null;
  samples: number;
  in_kernel: number;
}

/** Sums what is counted by group, most switches first. `all` is the number of all switches in the range. */
export function sumGroups(
  counted: readonly Counted[],
  names: ReadonlyMap<number, ThreadName>,
  { by, all, dur_ns }: { readonly by: Grouping; readonly all: number; readonly dur_ns: number },
): CountedGroups {
  const sums = new Map<number, Sum>();
  for (const { id, switches, ran_ns, samples, in_kernel } of counted) {
    const key = by === 'process' ? (names.get(id)?.upid ?? -1) : id;
    const sum = sums.get(key);
    if (sum === undefined) {
      sums.set(key, { key, ids: [id], first: id, switches, ran_ns, samples, in_kernel });
      continue;
    }
    sum.ids.push(id);
    sum.switches += switches;
    sum.ran_ns = sum.ran_ns === null || ran_ns === null ? null : sum.ran_ns + ran_ns;
    sum.samples += samples;
    sum.in_kernel += in_kernel;
  }
  const found = [...sums.values()].filter(({ switches }) => switches > 0);
  const rising = Float64Array.from(found, ({ switches }) => switches).sort();
  // A million threads are not put in order for the first of them.
  const least = rising[Math.max(0, rising.length - GROUPS_MAX)] ?? 0;
  const groups = found
    .filter(({ switches }) => switches >= least)
    .sort((a, b) => b.switches - a.switches || a.first - b.first)
    .slice(0, GROUPS_MAX)
    .map(({ key, ids, first, switches, ran_ns, samples, in_kernel }) => ({
      key,
      ids,
      group: {
        ...nameGroup(by, first, names.get(first)),
        switches,
        per_s: (switches * 1e9) / dur_ns,
        share: all === 0 ? 0 : switches / all,
        run_ns: ran_ns === null ? null : ran_ns / switches,
        kernel: samples === 0 ? null : in_kernel / samples,
      },
    }));
  return { groups, count: found.length };
}

function nameGroup(by: Grouping, id: number, name: ThreadName | undefined) {
  const nothing = { ...ownedThread(undefined), cpu: null };
  switch (by) {
    case 'cpu':
      return { ...nothing, label: `CPU ${id}`, cpu: id };
    case 'process':
      return { ...nothing, ...ownedProcess(name), label: processLabel(name) };
    case 'thread':
      return { ...nothing, ...ownedThread(name), label: threadLabel(name) };
  }
}
