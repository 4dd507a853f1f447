import * as d3 from 'd3';
import { keepLast, toNumber, toText, type Query } from '../../shared/engine/index.ts';
import { knownOf, loadRecording, WHOLE_TRACE } from '../../shared/recording/index.ts';
import {
  addToSteps,
  type Births,
  countLive,
  isNamed,
  type Live,
  loadBirths,
  processLabel,
  type NamedProcess,
  type Steps,
} from '../../shared/threads/index.ts';
import { dataOf, readRows, type Tables } from '../../shared/tables/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { growthOf } from '../../shared/growth/index.ts';
import handlesSql from './handles.sql';
import type { ProcessThreads, SeriesGrowth, ThreadsModel, What } from './model.ts';
import { type ThreadsParams, recording as needs } from './params.ts';

/** Steps of time that the lines have points at. */
const STEPS = 300;
/** Lines of processes, if the user does not say. */
const LINES = 8;

/** What is read of processes. */
const PROCESS = ['upid', 'pid', 'name', 'services', 'create_ts', 'exit_ts', 'parent_upid'] as const;

/** A process; 0 stands for "before the trace" and for "not within it". */
interface Process {
  readonly upid: number;
  readonly pid: number;
  readonly process: string;
  readonly services: string | null;
  readonly create_ts: number;
  readonly exit_ts: number;
  readonly parent_upid: number | null;
}

/** Asks for all that the view shows of `range`. */
export async function loadThreads(
  query: Query,
  params: ThreadsParams,
  range: TimeRange,
): Promise<ThreadsModel> {
  const recording = await loadRecording(query, needs, WHOLE_TRACE);
  const { tables } = dataOf(query);
  const births = await loadBirths(tables);
  const processes = await loadProcesses(tables);
  const handles: Recorded['handles'] = recording.has('handles') ? await loadHandles(query) : new Map();
  const dur = Math.max(1, Math.ceil((range.end - range.start) / STEPS));
  const steps = { ts: range.start, dur, count: Math.max(1, Math.ceil((range.end - range.start) / dur)) };
  const all = await keepAll(query, JSON.stringify(range), () =>
    Promise.resolve(countAll({ births, processes, handles }, range, steps)),
  );
  const created = Array.from({ length: steps.count }, () => 0);
  const ended = [...created];
  for (const { upid, pid, process } of processes.values()) {
    const lists = births.get(upid);
    if (lists === undefined || !isNamed(params.process, pid, process)) continue;
    addToSteps(created, lists.created, steps);
    addToSteps(ended, lists.ended, steps);
  }
  const shown = all.shown.filter(({ process: { pid, process } }) => isNamed(params.process, pid, process));
  const growths = all.growths.filter(
    ({ what, pid, process }) =>
      (params.what === 'any' || params.what === what) && isNamed(params.process, pid, process),
  );
  return {
    ...knownOf(recording),
    steps,
    lines: shown
      .slice(0, params.top ?? LINES)
      .map(({ process, live }) => ({ label: processLabel(process), pid: process.pid, live })),
    created,
    ended,
    processes: shown.map(({ process }) => process),
    growths,
    chosen: chosenOf(growths, params),
  };
}

/** All of a range, whatever is shown of it: live threads of each process, and what grows. */
interface Counted {
  readonly shown: readonly { readonly process: ProcessThreads; readonly live: Live['live'] }[];
  readonly growths: readonly SeriesGrowth[];
}

const keepAll = keepLast<Counted>();

interface Recorded {
  readonly births: ReadonlyMap<number, Births>;
  readonly processes: ReadonlyMap<number, Process>;
  readonly handles: ReadonlyMap<number, Pick<ProcessThreads, 'handles' | 'handle_change'>>;
}

function countAll({ births, processes, handles }: Recorded, range: TimeRange, steps: Steps): Counted {
  const shown: { readonly process: ProcessThreads; readonly live: Live['live'] }[] = [];
  for (const { upid, pid, process, services } of processes.values()) {
    const lists = births.get(upid);
    if (lists === undefined) continue;
    const { live, ...counts } = countLive(lists, range, steps);
    if (counts.most === 0 && counts.created === 0) continue;
    shown.push({
      process: { pid, process, services, ...counts, ...(handles.get(upid) ?? NO_HANDLES) },
      live,
    });
  }
  shown.sort((a, b) => b.process.most - a.process.most || a.process.pid - b.process.pid);
  const growths = seriesOf(processes, (upid) => afterStart(births.get(upid)?.created))
    .flatMap(({ times, ...rest }) => {
      const growth = growthOf(times, range);
      return growth === null ? [] : [{ ...rest, ...growth }];
    })
    .sort((a, b) => b.beyond_ns - a.beyond_ns || b.count - a.count);
  return { shown, growths };
}

/** Those of the times, which are in order, that are not before the trace. */
function afterStart(times: Float64Array | undefined): Float64Array | undefined {
  return times?.subarray(d3.bisectRight(times, 0));
}

const NO_HANDLES = { handles: null, handle_change: null };

/** The growth that was asked for, else the first. */
function chosenOf(growths: readonly SeriesGrowth[], { pid }: ThreadsParams): number | null {
  if (growths.length === 0) return null;
  return pid === null
    ? 0
    : Math.max(
        0,
        growths.findIndex((growth) => growth.pid === pid),
      );
}

interface Series extends NamedProcess {
  readonly what: What;
  readonly times: Float64Array;
}

/** The series that may grow: threads by process, processes by parent, and ends of processes. */
function seriesOf(
  processes: ReadonlyMap<number, Process>,
  createdIn: (upid: number) => Float64Array | undefined,
): readonly Series[] {
  const series: Series[] = [];
  const made = new Map<number, number[]>();
  const ends: number[] = [];
  const inOrder = (times: readonly number[]) => Float64Array.from(times).sort();
  for (const { upid, pid, process, services, create_ts, exit_ts, parent_upid } of processes.values()) {
    if (create_ts > 0 && parent_upid !== null) {
      const times = made.get(parent_upid) ?? [];
      made.set(parent_upid, times);
      times.push(create_ts);
    }
    if (exit_ts > 0) ends.push(exit_ts);
    const times = createdIn(upid);
    if (times !== undefined) series.push({ what: 'threads', pid, process, services, times });
  }
  for (const [upid, times] of made) {
    const parent = processes.get(upid);
    if (parent === undefined) continue;
    const { pid, process, services } = parent;
    series.push({ what: 'processes', pid, process, services, times: inOrder(times) });
  }
  series.push({ what: 'exits', pid: null, process: null, services: null, times: inOrder(ends) });
  return series;
}

async function loadProcesses(tables: Tables): Promise<ReadonlyMap<number, Process>> {
  const processes = new Map<number, Process>();
  for (const row of await readRows(tables, 'etw_process', PROCESS)) {
    const [upid, pid, create_ts] = [Number(row.upid), Number(row.pid), Number(row.create_ts ?? 0)];
    processes.set(upid, {
      upid,
      pid,
      process: toText(row.name) ?? 'unknown process',
      services: toText(row.services),
      create_ts,
      exit_ts: Number(row.exit_ts ?? 0),
      parent_upid: create_ts === 0 ? null : toNumber(row.parent_upid),
    });
  }
  return processes;
}

async function loadHandles(query: Query) {
  const handles = new Map<number, Pick<ProcessThreads, 'handles' | 'handle_change'>>();
  for (const row of (await query(handlesSql)).rows()) {
    handles.set(Number(row.upid), { handles: toNumber(row.handles), handle_change: toNumber(row.change) });
  }
  return handles;
}
