import { group, max, maxIndex, sum } from 'd3';
import type { ProcessReleases, Release } from './model.ts';

/** What the chosen run released, summed up by process, most waiting first. */
export function sumByProcess(released: readonly Release[]): ProcessReleases[] {
  const groups = group(released, ({ pid, process }) => JSON.stringify([pid, process]));
  return [...groups.values()]
    .map((of) => ({
      process: of[0]?.process ?? null,
      pid: of[0]?.pid ?? null,
      service: servicesOf(of),
      threads: new Set(of.map(({ tid }) => tid)).size,
      waited_sum_ns: sum(of, ({ waited_ns }) => waited_ns),
      waited_max_ns: max(of, ({ waited_ns }) => waited_ns) ?? 0,
      at_least: of.some(({ at_least }) => at_least),
    }))
    .sort((a, b) => b.waited_sum_ns - a.waited_sum_ns);
}

/** What the threads' services are called, with commas between. */
function servicesOf(group: readonly Release[]): string | null {
  const names = new Set(group.flatMap(({ service }) => (service === null ? [] : [service])));
  return names.size === 0 ? null : [...names].join(', ');
}

/** The place of the release that ended most waiting among what the chosen thread woke itself; -1 if there is none. */
export function longestRelease(released: readonly Release[]): number {
  const waited_ns = ({ depth, switch_in_ts, waited_ns }: Release) =>
    depth === 1 && switch_in_ts !== null ? waited_ns : undefined;
  return maxIndex(released, waited_ns);
}
