import { group, sum } from 'd3';
import { toNumber, toText, type Cell, type Query, type Row } from '../../shared/engine/index.ts';
import { boundsOf, knownOf, loadRecording, type Recording } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import freezesSql from './freezes.sql';
import type {
  FirstReadied,
  FirstRun,
  Freeze,
  FrozenLane,
  FrozenProcessesModel,
  ThreadName,
} from './model.ts';
import { recording as needs, type FrozenProcessesParams } from './params.ts';
import pickedSql from './picked.sql';

/** Asks for all that the view shows of `range`. */
export async function loadFrozenProcesses(
  query: Query,
  params: FrozenProcessesParams,
  range: TimeRange,
): Promise<FrozenProcessesModel> {
  const bounds = boundsOf(range);
  const recording = await loadRecording(query, needs, bounds);
  const result = await dataOf(query).outline(pickedSql + freezesSql, {
    ...bounds,
    process: params.process === '' ? null : params.process,
    max_rows: Math.round(params.limit ?? 500),
  });
  const rows = [...result.rows()];
  const lanes = [...group(rows, ({ upid, pid }) => `${String(upid)} ${String(pid)}`).values()].map((rows) =>
    makeLane(
      rows.map((row) => readFreeze(row, recording)),
      range,
    ),
  );
  return {
    ...knownOf(recording),
    freeze_count: toNumber(rows[0]?.freeze_count) ?? 0,
    lanes: lanes.sort((a, b) => b.frozen_ns - a.frozen_ns),
  };
}

function makeLane(freezes: readonly Freeze[], range: TimeRange): FrozenLane {
  const frozen_ns = sum(freezes, ({ ts, dur }) => Math.min(ts + dur, range.end) - Math.max(ts, range.start));
  const [first] = freezes;
  return { process: first?.process ?? null, pid: first?.pid ?? 0, frozen_ns, freezes };
}

function readFreeze(row: Row, recording: Recording): Freeze {
  return {
    ts: Number(row.ts),
    dur: Number(row.dur),
    process: toText(row.process),
    pid: Number(row.pid),
    start: row.open_start === 0 ? 'recorded' : row.was_before_trace === 1 ? 'before_trace' : 'unknown',
    end: row.open_end === 0 ? 'thawed' : row.exited === 1 ? 'exited' : 'trace_end',
    frozen_by: readThread(row.by_process, row.by_pid, row.by_thread, row.by_tid),
    readied_threads: recording.has('ready_threads') ? (toNumber(row.readied_threads) ?? 0) : null,
    first_readied: readFirstReadied(row),
    ran_ns: recording.has('switches') ? (toNumber(row.ran_ns) ?? 0) : null,
    first_run: readFirstRun(row),
  };
}

function readFirstReadied(row: Row): FirstReadied | null {
  const ts = toNumber(row.readied_ts);
  const thread = readThread(row.readied_process, row.readied_pid, row.readied_thread, row.readied_tid);
  if (ts === null || thread === null) return null;
  const by = readThread(row.waker_process, row.waker_pid, row.waker_thread, row.waker_tid) ?? 'a DPC';
  return { ts, by, thread };
}

function readFirstRun(row: Row): FirstRun | null {
  const ts = toNumber(row.run_ts);
  const thread = readThread(row.run_process, row.run_pid, row.run_thread, row.run_tid);
  if (ts === null || thread === null) return null;
  return { ts, after_ns: ts - Number(row.ts) - Number(row.dur), thread };
}

type MaybeCell = Cell | undefined;

function readThread(
  process: MaybeCell,
  pid: MaybeCell,
  thread: MaybeCell,
  tid: MaybeCell,
): ThreadName | null {
  const id = toNumber(tid);
  if (id === null) return null;
  return { process: toText(process), pid: toNumber(pid), thread: toText(thread), tid: id };
}
