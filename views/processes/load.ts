import { toNumber, toText, type Query } from '../../shared/engine/index.ts';
import { loadRecording, WHOLE_TRACE } from '../../shared/recording/index.ts';
import { dataOf, numberAt, readRows, readTraceFacts, type Tables } from '../../shared/tables/index.ts';
import { loadThreadNames, processLabel, threadLabel } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { formatCount } from '../../shared/model/index.ts';
import { loadExits, loadExitWaits, type Exit } from '../../shared/exits/index.ts';
import type { ExitWait, ProcessesModel, ProcessLife } from './model.ts';
import { type ProcessesParams, exitRecording, recording as needs } from './params.ts';
import { queuesOf } from './queues.ts';
import { ratesOf } from './rates.ts';
import { inTreeOrder, type LooseProcess } from './tree.ts';
import { findWaiters } from './waiters.ts';

/** Steps of time that the rates are counted in. */
const STEPS = 300;

/** Asks for the processes that lived in `range`, without what their exits waited for. */
export async function loadProcesses(
  query: Query,
  params: ProcessesParams,
  range: TimeRange,
): Promise<ProcessesModel> {
  const { origin_ns, unrecorded, notes } = await loadRecording(query, needs, WHOLE_TRACE);
  const { tables } = dataOf(query);
  const exits = await loadExits(tables);
  const loose = await readProcesses(tables, exits.known);
  const all = inTreeOrder(loose);
  const wanted = all.filter((process) => isWanted(process, params));
  return {
    origin_ns,
    end_ns: (await readTraceFacts(tables))?.end_ts ?? 0,
    unrecorded,
    notes: unrecorded === null ? [...notes, ...exitNotes(exits.unknown)] : notes,
    all: all.length,
    processes: wanted.filter((process) => isIn(process, range)),
    steps: ratesOf(wanted, range, STEPS),
    has_waits: false,
    queues: [],
    waiters: [],
  };
}

/** Adds what exits waited for, and who waited for them. */
export async function addExitWaits(query: Query, model: ProcessesModel): Promise<ProcessesModel> {
  const exits = model.processes.filter(({ exit }) => exit !== null);
  if (exits.length === 0) return { ...model, has_waits: true };
  const { unrecorded, notes } = await loadRecording(query, exitRecording, WHOLE_TRACE);
  if (unrecorded !== null) return { ...model, has_waits: true, notes: [...model.notes, ...notes] };
  const threads = await loadThreadNames(dataOf(query).tables);
  const labels = new Map<number, string>();
  for (const thread of threads.values()) {
    if (thread.upid !== null) labels.set(thread.upid, processLabel(thread));
  }
  const waits = new Map<string, ExitWait>();
  for (const { exit, wake, ts, reason, before_upid } of (await loadExitWaits(query)).waits) {
    const { waker_utid } = wake;
    waits.set(`${exit.pid} ${exit.te}`, {
      ...{ ts, dur: wake.ts - ts, reason },
      let_go_by: waker_utid === null ? 'a DPC' : threadLabel(threads.get(waker_utid)),
      before: before_upid === null ? null : (labels.get(before_upid) ?? 'unknown process'),
    });
  }
  const waiters = (await findWaiters(query)).map(({ utid, ...waiter }) => {
    const thread = threads.get(utid);
    return { thread: threadLabel(thread), tid: thread?.tid ?? 0, ...waiter };
  });
  const processes = model.processes.map((process) => withWait(process, waits));
  return {
    ...model,
    processes,
    has_waits: true,
    queues: queuesOf(processes.flatMap(({ exit }) => (exit === null ? [] : [exit]))),
    waiters,
  };
}

function withWait(process: ProcessLife, waits: ReadonlyMap<string, ExitWait>): ProcessLife {
  const { exit, pid, exit_ts } = process;
  if (exit === null) return process;
  return { ...process, exit: { ...exit, wait: waits.get(`${pid} ${exit_ts}`) ?? null } };
}

/** What is read of processes. */
const KEYS = ['upid', 'pid', 'name', 'parent_pid', 'parent_upid'] as const;
const ABOUT = [
  'command_line',
  'session',
  'services',
  'package',
  'create_ts',
  'exit_ts',
  'exit_code',
] as const;

/**
 * All processes with the number of threads that each had, in the order in which they were created: those from before the trace stand in it
 * in that order too. One that an event names before System, the first of all, is the recorder: it came late.
 */
async function readProcesses(
  tables: Tables,
  exits: ReadonlyMap<number, Exit>,
): Promise<readonly LooseProcess[]> {
  const rows = await readRows(tables, 'etw_process', [...KEYS, ...ABOUT]);
  const threads = await countThreads(tables);
  const system = Math.min(...rows.filter(({ pid }) => pid === 4).map(({ upid }) => Number(upid)));
  const isLate = (upid: number) => upid < system;
  return rows
    .filter(({ pid }) => pid !== 0)
    .map((row): LooseProcess => {
      const upid = Number(row.upid);
      return {
        upid,
        parent_upid: toNumber(row.parent_upid),
        life: {
          pid: Number(row.pid),
          name: toText(row.name) ?? `pid ${Number(row.pid)}`,
          parent_pid: toNumber(row.parent_pid),
          command_line: toText(row.command_line),
          session: toNumber(row.session),
          services: toText(row.services),
          package: toText(row.package),
          create_ts: toNumber(row.create_ts),
          exit_ts: toNumber(row.exit_ts),
          exit_code: toNumber(row.exit_code),
          threads: threads === null ? null : (threads.get(upid) ?? 0),
          exit: exitOf(exits.get(upid)),
        },
      };
    })
    .sort(
      (a, b) =>
        (a.life.create_ts ?? 0) - (b.life.create_ts ?? 0) ||
        Number(isLate(a.upid)) - Number(isLate(b.upid)) ||
        a.upid - b.upid,
    );
}

/** How a process ended, without what it waited for. */
function exitOf(exit: Exit | undefined): ProcessLife['exit'] {
  if (exit === undefined) return null;
  const { ts, te, begun_by, last_thread } = exit;
  return {
    ts,
    dur: te - ts,
    begun_by,
    tid: last_thread?.tid ?? null,
    last_thread_ts: last_thread?.exit_ts ?? null,
    wait: null,
  };
}

/** How many threads each process had, by upid; null where no thread is known. */
async function countThreads(tables: Tables): Promise<ReadonlyMap<number, number> | null> {
  if ((await tables.rowCount('etw_thread')) === 0) return null;
  const counts = new Map<number, number>();
  for await (const { rowCount, columns } of tables.batches('etw_thread', ['upid']))
    for (let row = 0; row < rowCount; row++) {
      const upid = numberAt(columns.upid, row);
      if (upid !== null) counts.set(upid, (counts.get(upid) ?? 0) + 1);
    }
  return counts;
}

/** Whether a process is asked for. */
function isWanted(life: ProcessLife, { process, at_most_ms, ended }: ProcessesParams): boolean {
  const { create_ts, exit_ts } = life;
  if (ended && exit_ts === null) return false;
  if (
    at_most_ms !== null &&
    (create_ts === null || exit_ts === null || exit_ts - create_ts > at_most_ms * 1e6)
  )
    return false;
  if (process === null || process === '') return true;
  const texts = [life.name, life.command_line, life.services].filter((text) => text !== null);
  return (
    process === String(life.pid) || texts.some((text) => text.toLowerCase().includes(process.toLowerCase()))
  );
}

function isIn({ create_ts, exit_ts }: ProcessLife, { start, end }: TimeRange): boolean {
  return (create_ts ?? -Infinity) < end && (exit_ts ?? Infinity) >= start;
}

/** What to say about ended processes whose exit began at an unknown time. */
function exitNotes(exits_unknown: number): readonly string[] {
  if (exits_unknown === 0) return [];
  return [
    `Of ${formatCount(exits_unknown)} ended processes it is not known when their exit began: neither that nor the end of a thread of theirs was recorded.`,
  ];
}
