import { processLabel, threadLabel, type ThreadName } from '../../shared/threads/index.ts';
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

/** A group, and the ids of what is counted in it. */
export interface CountedGroup {
  readonly ids: readonly number[];
  readonly group: SwitchGroup;
}

interface Sum {
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
): readonly CountedGroup[] {
  const sums = new Map<number, Sum>();
  for (const { id, switches, ran_ns, samples, in_kernel } of counted) {
    const key = by === 'process' ? (names.get(id)?.upid ?? -1) : id;
    const sum = sums.get(key);
    if (sum === undefined) {
      sums.set(key, { ids: [id], first: id, switches, ran_ns, samples, in_kernel });
      continue;
    }
    sum.ids.push(id);
    sum.switches += switches;
    sum.ran_ns = sum.ran_ns === null || ran_ns === null ? null : sum.ran_ns + ran_ns;
    sum.samples += samples;
    sum.in_kernel += in_kernel;
  }
  return [...sums.values()]
    .filter(({ switches }) => switches > 0)
    .sort((a, b) => b.switches - a.switches || a.first - b.first)
    .map(({ ids, first, switches, ran_ns, samples, in_kernel }) => ({
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
}

function nameGroup(by: Grouping, id: number, name: ThreadName | undefined) {
  const nothing = { process: null, pid: null, thread: null, tid: null, cpu: null };
  const { process = null, pid = null, thread = null, tid = null } = name ?? {};
  switch (by) {
    case 'cpu':
      return { ...nothing, label: `CPU ${id}`, cpu: id };
    case 'process':
      return { ...nothing, label: processLabel(name), process, pid };
    case 'thread':
      return { ...nothing, label: threadLabel(name), process, pid, thread, tid };
  }
}
