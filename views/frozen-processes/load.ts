import { group, sum } from 'd3';
import { toNumber, toText, type Query } from '../../shared/engine/index.ts';
import { boundsOf, knownOf, loadRecording, type Recording } from '../../shared/recording/index.ts';
import {
  dataOf,
  readFreezes,
  readRows,
  readTraceFacts,
  type ProcessFreeze,
  type TableRow,
  type Tables,
} from '../../shared/tables/index.ts';
import {
  loadThreadNames,
  ownedThread,
  type OwnedThread,
  type ThreadName,
} from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { loadMeanwhile, type FrozenSpan, type Meanwhile } from './meanwhile.ts';
import type { Freeze, FrozenLane, FrozenProcessesModel } from './model.ts';
import { params as specs, recording as needs, type FrozenProcessesParams } from './params.ts';

type Threads = ReadonlyMap<number, ThreadName>;

/** Loads all that the view shows of `range`. */
export async function loadFrozenProcesses(
  query: Query,
  { process, limit }: FrozenProcessesParams,
  range: TimeRange,
): Promise<FrozenProcessesModel> {
  const { range_start, range_end } = boundsOf(range);
  const recording = await loadRecording(query, needs, { range_start, range_end });
  const { tables } = dataOf(query);
  const asked = (await readSpans(tables)).filter(
    ({ ts, te, about }) => ts < range_end && te > range_start && (!process || isNamed(about?.name, process)),
  );
  const longest = [...asked]
    .sort((a, b) => b.te - b.ts - (a.te - a.ts) || a.ts - b.ts || a.pid - b.pid)
    .slice(0, Math.round(limit ?? specs.limit.default))
    .sort((a, b) => a.ts - b.ts || a.pid - b.pid);
  const threads = await loadThreadNames(tables);
  const meanwhile = await loadMeanwhile(tables, threads, longest);
  const lanes = Array.from(group(longest, processKey).values(), (spans) =>
    makeLane(
      spans.map((span) => describe(span, meanwhile.get(span), threads, recording)),
      range,
    ),
  );
  return {
    ...knownOf(recording),
    freeze_count: asked.length,
    lanes: lanes.sort((a, b) => b.frozen_ns - a.frozen_ns),
  };
}

const ABOUT = ['upid', 'name', 'services', 'create_ts', 'exit_ts'] as const;

/** A freeze, and what is known of its process. */
interface KnownFreeze extends ProcessFreeze, FrozenSpan {
  readonly about: TableRow<(typeof ABOUT)[number]> | undefined;
}

/** All freezes. What ran after a thaw is looked for until the next freeze, or else until the end. */
async function readSpans(tables: Tables): Promise<readonly KnownFreeze[]> {
  const processes = new Map((await readRows(tables, 'etw_process', ABOUT)).map((row) => [row.upid, row]));
  const end_ts = (await readTraceFacts(tables))?.end_ts ?? 0;
  return [...group(await readFreezes(tables), processKey).values()].flatMap((freezes) =>
    freezes.map((freeze, at) => ({
      ...freeze,
      until_ts: freeze.open_end ? freeze.te : (freezes[at + 1]?.ts ?? end_ts + 1),
      about: processes.get(freeze.upid),
    })),
  );
}

/** A process that the trace does not describe has its pid alone. */
function processKey({ upid, pid }: ProcessFreeze): string {
  return `${String(upid)} ${pid}`;
}

function isNamed(name: TableRow<'name'>['name'] | undefined, part: string): boolean {
  return (toText(name) ?? '').toLowerCase().includes(part.toLowerCase());
}

function makeLane(freezes: readonly Freeze[], range: TimeRange): FrozenLane {
  const frozen_ns = sum(freezes, ({ ts, dur }) => Math.min(ts + dur, range.end) - Math.max(ts, range.start));
  const [first] = freezes;
  const { process = null, pid = 0, services = null } = first ?? {};
  return { process, pid, services, frozen_ns, freezes };
}

function describe(
  { ts, te, pid, about, open_start, open_end, frozen_by_utid }: KnownFreeze,
  meanwhile: Meanwhile | undefined,
  threads: Threads,
  recording: Recording,
): Freeze {
  const wasBeforeTrace = toNumber(about?.create_ts) === null;
  const hasExited = toNumber(about?.exit_ts) !== null;
  const { readied, first_readied = null, ran_ns = 0, first_run = null } = meanwhile ?? {};
  const readiedThread = named(threads, first_readied?.utid);
  const runThread = named(threads, first_run?.utid);
  return {
    ts,
    dur: te - ts,
    process: toText(about?.name),
    services: toText(about?.services),
    pid,
    start: !open_start ? 'recorded' : wasBeforeTrace ? 'before_trace' : 'unknown',
    end: !open_end ? 'thawed' : hasExited ? 'exited' : 'trace_end',
    frozen_by: named(threads, frozen_by_utid),
    readied_threads: recording.has('ready_threads') ? (readied?.size ?? 0) : null,
    first_readied: first_readied &&
      readiedThread && {
        ts: first_readied.ts,
        by: named(threads, first_readied.waker_utid) ?? 'a DPC',
        thread: readiedThread,
      },
    ran_ns: recording.has('switches') ? ran_ns : null,
    first_run: first_run && runThread && { ts: first_run.ts, after_ns: first_run.ts - te, thread: runThread },
  };
}

function named(threads: Threads, utid: number | null | undefined): OwnedThread | null {
  const found = threads.get(utid ?? NaN);
  return found === undefined ? null : ownedThread(found);
}
