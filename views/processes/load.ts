import { toNumber, toText, type Query, type Row } from '../../shared/engine/index.ts';
import { loadRecording, WHOLE_TRACE } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, processLabel, threadLabel } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { formatCount } from '../../shared/model/index.ts';
import exitWaitsSql from './exit-waits.sql';
import exitsSql from './exits.sql';
import type { Exit, ExitWait, ProcessesModel, ProcessLife } from './model.ts';
import { type ProcessesParams, exitRecording, recording as needs } from './params.ts';
import processesSql from './processes.sql';
import { queuesOf } from './queues.ts';
import { ratesOf } from './rates.ts';
import spanSql from './span.sql';
import { inTreeOrder, type LooseProcess } from './tree.ts';
import waitersSql from './waiters.sql';

/** Steps of time that the rates are counted in. */
const STEPS = 300;

/** Asks for the processes that lived in `range`, without what their exits waited for. */
export async function loadProcesses(
  query: Query,
  params: ProcessesParams,
  range: TimeRange,
): Promise<ProcessesModel> {
  const { origin_ns, unrecorded, notes } = await loadRecording(query, needs, WHOLE_TRACE);
  const [span] = (await query(spanSql)).rows();
  const exits = new Map<number, Exit>();
  for (const row of (await query(exitsSql)).rows()) exits.set(Number(row.upid), readExit(row));
  const loose: LooseProcess[] = [];
  for (const row of (await query(processesSql)).rows()) {
    const upid = Number(row.upid);
    loose.push({
      upid,
      parent_upid: toNumber(row.parent_upid),
      life: { ...readProcess(row), exit: exits.get(upid) ?? null },
    });
  }
  const all = inTreeOrder(loose);
  const wanted = all.filter((process) => isWanted(process, params));
  return {
    origin_ns,
    end_ns: toNumber(span?.end_ts) ?? 0,
    unrecorded,
    notes: unrecorded === null ? [...notes, ...exitNotes(toNumber(span?.exits_unknown) ?? 0)] : notes,
    all: all.length,
    processes: wanted.filter((process) => isIn(process, range)),
    steps: ratesOf(wanted, range, STEPS),
    has_waits: false,
    queues: [],
    waiters: [],
  };
}

/** Adds what exits waited for, and who waited for them. */
export async function loadExitWaits(query: Query, model: ProcessesModel): Promise<ProcessesModel> {
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
  for (const row of (await query(exitWaitsSql)).rows()) {
    const [waker, before] = [toNumber(row.waker_utid), toNumber(row.before_upid)];
    waits.set(`${Number(row.pid)} ${Number(row.exit_ts)}`, {
      ts: Number(row.ts),
      dur: Number(row.dur),
      reason: toText(row.wait_reason),
      let_go_by: waker === null ? 'a DPC' : threadLabel(threads.get(waker)),
      before: before === null ? null : (labels.get(before) ?? 'unknown process'),
    });
  }
  const waiters = [...(await query(waitersSql)).rows()].map((row) => {
    const thread = threads.get(Number(row.utid));
    return {
      thread: threadLabel(thread),
      tid: thread?.tid ?? 0,
      waits: Number(row.waits),
      ts: Number(row.ts),
      longest_ns: Number(row.longest_ns),
      reason: toText(row.wait_reason),
    };
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

function readExit(row: Row): Exit {
  return {
    ts: Number(row.ts),
    dur: Number(row.dur),
    begun_by: toText(row.begun_by) ?? '',
    tid: toNumber(row.tid),
    last_thread_ts: toNumber(row.last_thread_ts),
    wait: null,
  };
}

function readProcess(row: Row): LooseProcess['life'] {
  return {
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
    threads: toNumber(row.threads),
    exit: null,
  };
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

/** What to say of processes that ended, and of which it is not known when their exit began. */
function exitNotes(exits_unknown: number): readonly string[] {
  if (exits_unknown === 0) return [];
  return [
    `Of ${formatCount(exits_unknown)} ended processes it is not known when their exit began: neither that nor the end of a thread of theirs was recorded.`,
  ];
}
