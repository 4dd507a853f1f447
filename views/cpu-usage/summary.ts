import { formatCpuTime, formatShare } from '../../shared/model/index.ts';
import type { CpuUsageModel } from './model.ts';

/** Where the time of the CPUs went, as named numbers; parts that are nothing are left out. Where something is not recorded, it is told what shares are of. */
export function summary({ totals, cpu_count }: CpuUsageModel): readonly (readonly [string, string])[] {
  const { capacity_ns, shown_ns, hidden_ns, idle_ns, unknown_ns } = totals;
  const of = unknown_ns > 0 ? ' of all' : '';
  const part = (ns: number) => `${formatCpuTime(ns)} (${formatShare(ns / Math.max(1, capacity_ns))}${of})`;
  const parts: readonly (readonly [string, number])[] = [
    ['ran', shown_ns],
    ['hidden', hidden_ns],
    ['idle', idle_ns],
    ['not recorded', unknown_ns],
  ];
  return [
    [`${cpu_count} CPUs`, formatCpuTime(capacity_ns)],
    ...parts.filter(([, ns]) => ns > 0).map(([name, ns]) => [name, part(ns)] as const),
  ];
}

/** True where nothing at all was recorded of who ran. */
export function isUnknown({ totals }: CpuUsageModel): boolean {
  return totals.capacity_ns === totals.unknown_ns;
}
