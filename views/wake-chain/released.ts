import type { ProcessReleases, Release } from './model.ts';

/** What the chosen run released, summed up by process, most waiting first. */
export function sumByProcess(released: readonly Release[]): ProcessReleases[] {
  const groups = new Map<string, Release[]>();
  for (const release of released) {
    const key = JSON.stringify([release.pid, release.process]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [release]);
    else group.push(release);
  }
  return [...groups.values()]
    .map((group) => ({
      process: group[0]?.process ?? null,
      pid: group[0]?.pid ?? null,
      service: servicesOf(group),
      threads: new Set(group.map(({ tid }) => tid)).size,
      waited_sum_ns: group.reduce((sum, { waited_ns }) => sum + waited_ns, 0),
      waited_max_ns: group.reduce((max, { waited_ns }) => Math.max(max, waited_ns), 0),
      at_least: group.some(({ at_least }) => at_least),
    }))
    .sort((a, b) => b.waited_sum_ns - a.waited_sum_ns);
}

/** What the threads' services are called, with commas between. */
function servicesOf(group: readonly Release[]): string | null {
  const names = new Set(group.flatMap(({ service }) => (service === null ? [] : [service])));
  return names.size === 0 ? null : [...names].join(', ');
}

/** The release that ended most waiting among what the chosen thread woke itself. */
export function longestRelease(released: readonly Release[]): Release | undefined {
  return released
    .filter(({ depth, switch_in_ts }) => depth === 1 && switch_in_ts !== null)
    .reduce<Release | undefined>(
      (longest, each) => (longest === undefined || each.waited_ns > longest.waited_ns ? each : longest),
      undefined,
    );
}
