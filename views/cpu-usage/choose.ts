import type { Selection, ViewContext } from '../../shared/view/index.ts';
import type { CpuGroup, CpuUsageModel } from './model.ts';
import type { params } from './params.ts';

type Context = Pick<ViewContext<typeof params>, 'params' | 'selection' | 'select' | 'setParams'>;
type RankAndPriority = Pick<CpuGroup, 'rank' | 'priority'>;

/** Selects a group's thread or process; by priority or rank, hides all but it, or shows all again. */
export function chooseGroup({ by, groups }: CpuUsageModel, row: number, context: Context): void {
  const group = groups[row];
  if (group === undefined) return;
  const { pid, tid, alive_ts } = group;
  if (by === 'priority' || by === 'rank-priority') toggleOnly(group, context);
  else if (by === 'process') context.select({ ...context.selection, thread: null, pid });
  else if (tid !== null && alive_ts !== null) {
    context.select({ ...context.selection, thread: { tid, ts: alive_ts }, pid });
  }
}

/** The group that is selected, or is all that is not hidden. */
export function chosenGroup(
  { by, groups }: CpuUsageModel,
  selection: Selection,
  { params }: Pick<Context, 'params'>,
): number | null {
  const { pid, thread } = selection;
  const index = groups.findIndex((group) => {
    if (by === 'priority' || by === 'rank-priority') return isOnly(group, params);
    if (pid === null || group.pid !== pid) return false;
    return by === 'process' || (group.tid === thread?.tid && (group.alive_ts ?? Infinity) <= thread.ts);
  });
  return index === -1 ? null : index;
}

/** Hides what ran at any other rank and priority; if that is so already, shows all again. A null is not asked for. */
export function toggleOnly(group: RankAndPriority, { params, setParams }: Context): void {
  const { rank, priority } = group;
  setParams(
    isOnly(group, params)
      ? { rank: null, priority_min: null, priority_max: null }
      : { rank, priority_min: priority, priority_max: priority },
  );
}

/** True if all that ran at another rank or priority is hidden. */
export function isOnly({ rank, priority }: RankAndPriority, params: Context['params']): boolean {
  return params.rank === rank && params.priority_min === priority && params.priority_max === priority;
}
