import type { Query } from '../engine/index.ts';
import { dataOf, numberAt, textAt, type Stretch, type Tables } from '../tables/index.ts';
import {
  loadServices,
  loadThreadNames,
  processLabel,
  threadLabel,
  type ThreadName,
} from '../threads/index.ts';
import { loadBlame, type Blame } from './blame.ts';
import { loadDriverBlame } from './driver-blame.ts';
import { writeHandle } from './handle.ts';
import { findKnots } from './knots.ts';
import { loadModuleBlame } from './module-blame.ts';
import { loadWaitsFor } from './waits-for.ts';

/** What blame can be told by. */
export const BLAMED_BY = ['thread', 'process', 'service', 'driver', 'module', 'knot'] as const;
export type BlamedBy = (typeof BLAMED_BY)[number];

/** How long others waited for something, and how long it ran. */
export type Sums = Pick<Blame, 'active_ns' | 'blocked_ns' | 'ran_ns'>;

/** What others waited for. */
export interface Blamed extends Sums {
  /** In words. */
  readonly label: string;
  /** Of a thread. */
  readonly handle?: string;
  /** The thread, or one of the process, the service or the knot. */
  readonly thread?: ThreadName | undefined;
  /** Of a knot: how long its threads waited for each other. */
  readonly within_ns?: number;
  /** What it is, as JSON has it. */
  readonly keys: Readonly<Record<string, unknown>>;
}

/** So many threads of a knot are named. */
const MOST_NAMED = 4;

/** How long others waited in a range, by what they waited for. */
export async function loadBlamed(query: Query, range: Stretch, by: BlamedBy): Promise<Blamed[]> {
  if (by === 'driver') return byDriver(query, range);
  if (by === 'module') return byModule(query, range);
  const names = await loadThreadNames(dataOf(query).tables);
  const blames = await loadBlame(query, range);
  switch (by) {
    case 'thread':
      // Of thousands of threads, to spread objects takes as long as all the rest.
      return blames.map(({ utid, active_ns, blocked_ns, ran_ns }) => {
        const { label, handle, thread, keys } = threadOf(utid, names);
        return { active_ns, blocked_ns, ran_ns, label, handle, thread, keys };
      });
    case 'process':
      return summed(blames, names, (name) => {
        const keys = { process: name?.process ?? null, pid: name?.pid ?? null };
        return { key: name?.upid ?? null, label: processLabel(name), keys };
      });
    case 'service': {
      const services = await mainServices(dataOf(query).tables);
      return summed(blames, names, (_, utid) => {
        const service = services.get(utid) ?? null;
        return { key: service, label: service ?? 'no service', keys: { service } };
      });
    }
    case 'knot':
      return byKnot(query, range, names, blames);
  }
}

type Named = Pick<Blamed, 'label' | 'handle' | 'keys' | 'thread'>;

function threadOf(
  utid: number,
  names: ReadonlyMap<number, ThreadName>,
): Required<Pick<Blamed, 'label' | 'handle' | 'keys'>> & Pick<Blamed, 'thread'> {
  const name = names.get(utid);
  const handle = writeHandle({ kind: 'thread', number: utid });
  const { process = null, pid = null, tid = null, thread = null } = name ?? {};
  return {
    label: threadLabel(name),
    handle,
    thread: name,
    keys: { process, pid, tid, thread, handle },
  };
}

/** The blame of threads, by what they belong to; of each the thread with most blame is named. */
function summed(
  blames: readonly Blame[],
  names: ReadonlyMap<number, ThreadName>,
  groupOf: (name: ThreadName | undefined, utid: number) => Named & { readonly key: unknown },
): Blamed[] {
  const groups = new Map<unknown, Blamed>();
  for (const { utid, active_ns, blocked_ns, ran_ns } of blames) {
    const thread = names.get(utid);
    const { key, ...named } = groupOf(thread, utid);
    const before = groups.get(key) ?? { ...named, thread, active_ns: 0, blocked_ns: 0, ran_ns: 0 };
    groups.set(key, {
      ...before,
      active_ns: before.active_ns + active_ns,
      blocked_ns: before.blocked_ns + blocked_ns,
      ran_ns: before.ran_ns + ran_ns,
    });
  }
  return [...groups.values()];
}

/** The service that each thread worked for last; of a process with one service that one. */
async function mainServices(tables: Tables): Promise<ReadonlyMap<number, string>> {
  const ofThread = await loadServices(tables);
  const ofProcess = new Map<number, string>();
  for await (const { rowCount, columns } of tables.batches('etw_process', ['upid', 'services']))
    for (let row = 0; row < rowCount; row++) {
      const services = textAt(columns.services, row);
      if (services !== null && !services.includes(','))
        ofProcess.set(columns.upid.values[row] ?? 0, services);
    }
  const main = new Map(ofThread);
  for await (const { rowCount, columns } of tables.batches('etw_thread', ['utid', 'upid']))
    for (let row = 0; row < rowCount; row++) {
      const utid = columns.utid.values[row] ?? 0;
      const service = ofProcess.get(numberAt(columns.upid, row) ?? -1);
      if (service !== undefined && !main.has(utid)) main.set(utid, service);
    }
  return main;
}

async function byDriver(query: Query, range: Stretch): Promise<Blamed[]> {
  return (await loadDriverBlame(query, range)).map(({ driver, ...sums }) => ({
    ...sums,
    active_ns: 0,
    label: driver ?? 'no driver known',
    keys: { driver },
  }));
}

async function byModule(query: Query, range: Stretch): Promise<Blamed[]> {
  return (await loadModuleBlame(query, range)).map(({ module, ...sums }) => ({
    ...sums,
    blocked_ns: 0,
    label: module ?? 'no image known',
    keys: { module },
  }));
}

async function byKnot(
  query: Query,
  range: Stretch,
  names: ReadonlyMap<number, ThreadName>,
  blames: readonly Blame[],
): Promise<Blamed[]> {
  return findKnots(await loadWaitsFor(query, range), blames).map(({ utids, within_ns, ...sums }) => {
    const threads = utids.map((utid) => threadOf(utid, names));
    const named = threads.slice(0, MOST_NAMED).map(({ label, handle }) => `${label}  ${handle}`);
    const more = utids.length > MOST_NAMED ? [`and ${utids.length - MOST_NAMED} more`] : [];
    return {
      ...{ ...sums, within_ns },
      label: [...named, ...more].join(', '),
      thread: threads[0]?.thread,
      keys: { within_ns, threads: threads.map(({ keys }) => keys) },
    };
  });
}
