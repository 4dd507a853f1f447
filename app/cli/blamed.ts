import {
  findKnots,
  loadBlame,
  loadBlockedSums,
  loadDriverBlame,
  writeHandle,
  type Blame,
} from '../../shared/causes/index.ts';
import type { Query } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, processLabel, threadLabel, type ThreadName } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import servicesSql from './services.sql';

/** What blame can be told by. */
export const BLAMED_BY = ['thread', 'process', 'service', 'driver', 'knot'] as const;
export type BlamedBy = (typeof BLAMED_BY)[number];

/** How long others waited for something, and how long it ran. */
export type Sums = Pick<Blame, 'active_ns' | 'blocked_ns' | 'ran_ns'>;

/** What others waited for. */
export interface Blamed extends Sums {
  /** In words. */
  readonly label: string;
  /** Of a knot: how long its threads waited for each other. */
  readonly within_ns?: number;
  /** What it is, as JSON has it. */
  readonly keys: Readonly<Record<string, unknown>>;
}

/** So many threads of a knot are named. */
const MOST_NAMED = 4;

/** How long others waited in a range, by what they waited for. */
export async function loadBlamed(query: Query, range: TimeRange, by: BlamedBy): Promise<Blamed[]> {
  if (by === 'driver') return byDriver(query, range);
  const names = await loadThreadNames(dataOf(query).outline);
  const blames = await loadBlame(query, range);
  switch (by) {
    case 'thread':
      return blames.map(({ utid, ...sums }) => ({ ...sums, ...threadOf(utid, names) }));
    case 'process':
      return summed(blames, (utid) => {
        const name = names.get(utid);
        const keys = { process: name?.process ?? null, pid: name?.pid ?? null };
        return { key: name?.upid ?? null, label: processLabel(name), keys };
      });
    case 'service': {
      const services = await loadServices(query);
      return summed(blames, (utid) => {
        const service = services.get(utid) ?? null;
        return { key: service, label: service ?? 'no service', keys: { service } };
      });
    }
    case 'knot':
      return byKnot(query, range, names, blames);
  }
}

function threadOf(utid: number, names: ReadonlyMap<number, ThreadName>): Pick<Blamed, 'label' | 'keys'> {
  const name = names.get(utid);
  const handle = writeHandle({ kind: 'thread', number: utid });
  const { process = null, pid = null, tid = null, thread = null } = name ?? {};
  return { label: `${threadLabel(name)}  ${handle}`, keys: { process, pid, tid, thread, handle } };
}

/** The blame of threads, by what they belong to. */
function summed(
  blames: readonly Blame[],
  groupOf: (utid: number) => Pick<Blamed, 'label' | 'keys'> & { readonly key: unknown },
): Blamed[] {
  const groups = new Map<unknown, Blamed>();
  for (const { utid, active_ns, blocked_ns, ran_ns } of blames) {
    const { key, ...named } = groupOf(utid);
    const before = groups.get(key) ?? { ...named, active_ns: 0, blocked_ns: 0, ran_ns: 0 };
    groups.set(key, {
      ...before,
      active_ns: before.active_ns + active_ns,
      blocked_ns: before.blocked_ns + blocked_ns,
      ran_ns: before.ran_ns + ran_ns,
    });
  }
  return [...groups.values()];
}

/** The service of each thread that works for one. */
async function loadServices(query: Query): Promise<ReadonlyMap<number, string>> {
  const rows = await dataOf(query).outline(servicesSql);
  const services = rows.strings('service');
  return new Map(Array.from(rows.numbers('utid'), (utid, row) => [utid, services[row] ?? '']));
}

async function byDriver(query: Query, range: TimeRange): Promise<Blamed[]> {
  return (await loadDriverBlame(query, range)).map(({ driver, ...sums }) => ({
    ...sums,
    active_ns: 0,
    label: driver ?? 'no driver known',
    keys: { driver },
  }));
}

async function byKnot(
  query: Query,
  range: TimeRange,
  names: ReadonlyMap<number, ThreadName>,
  blames: readonly Blame[],
): Promise<Blamed[]> {
  const { groups } = await loadBlockedSums(query, { range, utids: null, withWork: false }, null);
  return findKnots(groups, blames).map(({ utids, within_ns, ...sums }) => {
    const threads = utids.map((utid) => threadOf(utid, names));
    const named = threads.slice(0, MOST_NAMED).map(({ label }) => label);
    const more = utids.length > MOST_NAMED ? [`and ${utids.length - MOST_NAMED} more`] : [];
    return {
      ...{ ...sums, within_ns },
      label: [...named, ...more].join(', '),
      keys: { within_ns, threads: threads.map(({ keys }) => keys) },
    };
  });
}
