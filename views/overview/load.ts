import { loadCpuSteps } from '../../shared/cpu-sum/load-step.ts';
import type { Query } from '../../shared/engine/index.ts';
import { boundsOf, notRecorded, readEventCounts } from '../../shared/recording/index.ts';
import { dataOf, traceRow, readFreezes, type Tables } from '../../shared/tables/index.ts';
import { loadFocus, loadInputs, loadProcesses } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { cutIntoBuckets } from '../kit/index.ts';
import type { Facts, Freeze, OverviewModel, ProcessSpan } from './model.ts';
import type { OverviewParams } from './params.ts';
import { cpuOfSwitches } from './cpu-time.ts';
import { readCpu, type CpuOf } from './read.ts';
import { recordedKinds } from './recorded.ts';

/** Most marks in a lane. */
const MAX_MARKS = 4000;

/** Asks for what is cheap: the first picture. */
export async function loadOverview(
  query: Query,
  params: OverviewParams,
  asked: TimeRange,
): Promise<OverviewModel> {
  const { tables } = dataOf(query);
  const about = await traceRow(tables, ABOUT);
  const range = convertedPart(about, asked);
  const facts = await readFacts(tables, about, range);
  const origin_ns = Number(about?.start_ts ?? range.start);
  const max_rows = Math.round(params.limit ?? 12);
  const { cpu, processes } = await cpuOf(query, range, facts, origin_ns);
  const focus = await readFocus(tables, range);
  const inputs = await readPressed(tables, range);
  const freezes = await freezesIn(tables, range);
  const counts = await readEventCounts(tables);
  return {
    range,
    origin_ns,
    facts,
    cpu,
    processes: processes.slice(0, max_rows),
    focus: focus.slice(0, MAX_MARKS).sort((a, b) => a.ts - b.ts),
    focus_count: focus.length,
    inputs: inputs.slice(0, MAX_MARKS),
    input_count: inputs.length,
    freezes: freezes.slice(0, MAX_MARKS),
    freeze_count: freezes.length,
    recorded: recordedKinds(counts),
    missing: notRecorded(counts),
    waits: null,
    findings: null,
  };
}

/** The facts that the view shows about the recording. */
const ABOUT = [
  ...(['start_ts', 'dur_ns', 'start_utc_ns', 'utc_offset_minutes', 'os_version', 'os_build'] as const),
  ...(['pointer_bytes', 'cpu_count', 'cpu_mhz', 'events_read', 'context_switches'] as const),
  ...(['events_lost', 'buffers_lost', 'selected_from_ts', 'selected_to_ts'] as const),
] as const;

type About = Readonly<Record<(typeof ABOUT)[number], string | number | null>> | null;

/** CPU time of context switches. Most of that of a long range is summed already. */
async function cpuOf(query: Query, range: TimeRange, facts: Facts, origin_ns: number): Promise<CpuOf> {
  const { tables } = dataOf(query);
  const { step_ns } = await loadCpuSteps(tables);
  const buckets = cutIntoBuckets(range, origin_ns, step_ns);
  const strip = { edges: buckets.edges, source: 'switches' } as const;
  return readCpu(tables, await cpuOfSwitches(tables, buckets), strip, range, facts.cpu_count);
}

/** What of `range` was converted. */
function convertedPart(about: About, range: TimeRange): TimeRange {
  const start = Math.max(range.start, Number(about?.selected_from_ts ?? range.start));
  const end = Math.min(range.end, Number(about?.selected_to_ts ?? range.end));
  return start < end ? { start, end } : range;
}

async function readFacts(tables: Tables, about: About, range: TimeRange): Promise<Facts> {
  const number = (name: (typeof ABOUT)[number]) => (typeof about?.[name] === 'number' ? about[name] : null);
  const start_utc_ns = number('start_utc_ns');
  const isTold = about !== null;
  return {
    dur_ns: range.end - range.start,
    recorded_ns: number('dur_ns') ?? 0,
    // Beyond what a number holds exactly, and JSON has no other.
    start_utc_ns: start_utc_ns === null ? null : String(BigInt(Math.round(start_utc_ns / 1000)) * 1000n),
    utc_offset_minutes: number('utc_offset_minutes'),
    os_version: typeof about?.os_version === 'string' ? about.os_version : null,
    os_build: number('os_build'),
    pointer_bytes: number('pointer_bytes'),
    cpu_count: number('cpu_count') ?? 0,
    cpu_mhz: number('cpu_mhz'),
    processes: isTold ? await countProcesses(tables) : 0,
    threads: isTold ? await tables.rowCount('etw_thread') : 0,
    events_read: number('events_read') ?? 0,
    context_switches: number('context_switches') ?? 0,
    events_lost: number('events_lost') ?? 0,
    buffers_lost: number('buffers_lost') ?? 0,
    gaps: isTold ? await tables.rowCount('etw_loss') : 0,
  };
}

/** All but the idle one. */
async function countProcesses(tables: Tables): Promise<number> {
  let count = 0;
  for await (const { rowCount, columns } of tables.batches('etw_process', ['pid']))
    for (let row = 0; row < rowCount; row++) if (columns.pid.values[row] !== 0) count++;
  return count;
}

/** Who had the focus in a range, the longest span first. */
async function readFocus(tables: Tables, range: TimeRange): Promise<ProcessSpan[]> {
  const { range_start, range_end } = boundsOf(range);
  const spans = (await loadFocus(tables)).filter(({ ts, te }) => ts <= range_end && te >= range_start);
  return spans
    .map(({ ts, te, process, services, pid }) => ({ ts, dur: te - ts, process, services, pid }))
    .sort((a, b) => b.dur - a.dur);
}

/** Keys and mouse buttons that were pressed in a range. */
async function readPressed(tables: Tables, range: TimeRange) {
  const { range_start, range_end } = boundsOf(range);
  const inputs = await loadInputs(tables, { start: range_start, end: range_end + 1 }, false);
  return inputs
    .filter(({ kind }) => kind === 'key_down' || kind === 'mouse_down')
    .map(({ ts, kind }) => ({ ts, is_key: kind === 'key_down' }));
}

/** The freezes that reach into a range, the longest first. */
async function freezesIn(tables: Tables, range: TimeRange): Promise<Freeze[]> {
  const { range_start, range_end } = boundsOf(range);
  const processes = await loadProcesses(tables);
  return (await readFreezes(tables))
    .filter(({ ts, te }) => ts <= range_end && te >= range_start)
    .map(({ ts, te, upid, pid, open_start, open_end }) => {
      const { process = null, services = null } = processes.get(upid ?? -1) ?? {};
      return { ts, dur: te - ts, process, services, pid, open_start, open_end };
    })
    .sort((a, b) => b.dur - a.dur || a.ts - b.ts);
}
