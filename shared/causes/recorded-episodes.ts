import { group } from 'd3';
import { eachActivity, loadEvents } from '../events/index.ts';
import { numberAt, readFreezes, type Tables } from '../tables/index.ts';
import { loadFocus } from '../threads/index.ts';
import type { Delay } from './delay.ts';
import { processesOfThreads } from './thread-processes.ts';

/** Opcodes of the events that start and stop an activity. */
const [START, STOP] = [1, 2];

/** From each start event of an activity to the next one, where that is its stop event; of events that a thread wrote. */
export async function activityEpisodes(tables: Tables): Promise<readonly Delay[]> {
  const events = await loadEvents(tables);
  const found: Delay[] = [];
  /** The event that came last of each activity, by provider and task too. */
  const last = new Map<string, number>();
  const opcodeOf = (place: number) => events.shapes[events.shape[place] ?? 0]?.opcode;
  const isWanted = ({ opcode }: { readonly opcode: number }) => opcode === START || opcode === STOP;
  await eachActivity(tables, events, isWanted, (place, activity) => {
    const of = events.shapes[events.shape[place] ?? 0];
    const key = `${of?.task ?? 0} ${activity} ${of?.provider ?? ''}`;
    const before = last.get(key);
    last.set(key, place);
    if (before === undefined || opcodeOf(before) !== START || of?.opcode !== STOP) return;
    const utid = events.utid[before] ?? 0;
    if (utid !== 0) found.push({ utid, ts: events.ts[before] ?? 0, te: events.ts[place] ?? 0 });
  });
  return found;
}

/** A process that was created in the recording, by its first thread. */
interface Created {
  readonly upid: number;
  readonly utid: number;
  readonly ts: number;
  /** When it exited; null where that is not known. */
  readonly exit_ts: number | null;
}

/** From the creation of each process to its exit. */
export async function lifeEpisodes(tables: Tables): Promise<readonly Delay[]> {
  const created = await loadCreated(tables);
  return created.flatMap(({ utid, ts, exit_ts }) => (exit_ts === null ? [] : [{ utid, ts, te: exit_ts }]));
}

/** From the creation of each process until the first image was loaded into it. */
export async function imageEpisodes(tables: Tables): Promise<readonly Delay[]> {
  const [created, loaded] = [await loadCreated(tables), new Map<number, number>()];
  for await (const { rowCount, columns } of tables.batches('etw_image', ['upid', 'load_ts']))
    for (let row = 0; row < rowCount; row++) {
      const [upid, ts] = [numberAt(columns.upid, row), numberAt(columns.load_ts, row)];
      if (upid !== null && ts !== null) loaded.set(upid, Math.min(ts, loaded.get(upid) ?? ts));
    }
  return created.flatMap(({ upid, utid, ts }) => {
    const te = loaded.get(upid);
    return te === undefined ? [] : [{ utid, ts, te }];
  });
}

/** From the creation of each process until it first had the focus. */
export async function focusEpisodes(tables: Tables): Promise<readonly Delay[]> {
  const [created, focus] = [await loadCreated(tables), await loadFocus(tables)];
  const taken = group(
    focus.filter(({ open_start }) => !open_start),
    ({ upid }) => upid,
  );
  return created.flatMap(({ upid, utid, ts }) => {
    const first = taken.get(upid)?.find((span) => span.ts >= ts);
    return first === undefined ? [] : [{ utid, ts, te: first.ts }];
  });
}

/** From the freeze of each process to its thaw. */
export async function freezeEpisodes(tables: Tables): Promise<readonly Delay[]> {
  const threads = await firstThreads(tables);
  return (await readFreezes(tables)).flatMap(({ upid, ts, te, open_start, open_end }) => {
    const utid = threads.get(upid ?? -1);
    return utid === undefined || open_start || open_end ? [] : [{ utid, ts, te }];
  });
}

async function loadCreated(tables: Tables): Promise<readonly Created[]> {
  const [threads, created] = [await firstThreads(tables), new Array<Created>()];
  const names = ['upid', 'create_ts', 'exit_ts'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_process', names))
    for (let row = 0; row < rowCount; row++) {
      const upid = columns.upid.values[row] ?? 0;
      const [utid, ts] = [threads.get(upid), numberAt(columns.create_ts, row)];
      if (utid !== undefined && ts !== null)
        created.push({ upid, utid, ts, exit_ts: numberAt(columns.exit_ts, row) });
    }
  return created;
}

/** The thread with the least key of each process. */
async function firstThreads(tables: Tables): Promise<ReadonlyMap<number, number>> {
  const threads = new Map<number, number>();
  for (const [utid, upid] of await processesOfThreads(tables))
    threads.set(upid, Math.min(utid, threads.get(upid) ?? utid));
  return threads;
}
