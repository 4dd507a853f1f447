import { toNumber, toText, type Query, type Row } from '../../shared/engine/index.ts';
import { boundsOf, notRecorded, readEventCounts } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import factsSql from './facts.sql';
import focusSql from './focus.sql';
import freezesSql from './freezes.sql';
import inputsSql from './inputs.sql';
import type { Facts, Freeze, OverviewModel, ProcessSpan } from './model.ts';
import type { OverviewParams } from './params.ts';
import { cpuOfRuns, cpuOfSums, SUMMED_STEPS } from './cpu-time.ts';
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
  const { outline, tables } = dataOf(query);
  const [about = {}] = (await outline(factsSql)).rows();
  const range = convertedPart(about, asked);
  const facts = readFacts(about, range);
  const origin_ns = toNumber(about.start_ts) ?? range.start;
  const max_rows = Math.round(params.limit ?? 12);
  const bounds = {
    ...boundsOf(range),
    max_rows: MAX_MARKS,
  };
  const { cpu, processes } = await cpuOf(query, range, facts, origin_ns);
  const focus = [...(await outline(focusSql, bounds)).rows()];
  const inputs = [...(await outline(inputsSql, bounds)).rows()];
  const freezes = [...(await outline(freezesSql, bounds)).rows()];
  const counts = await readEventCounts(tables);
  return {
    range,
    origin_ns,
    facts,
    cpu,
    processes: processes.slice(0, max_rows),
    focus: focus.map(readSpan).sort((a, b) => a.ts - b.ts),
    focus_count: toNumber(focus[0]?.spans) ?? 0,
    inputs: inputs.map((row) => ({ ts: Number(row.ts), is_key: row.is_key === 1 })),
    input_count: toNumber(inputs[0]?.inputs) ?? 0,
    freezes: freezes.map(readFreeze),
    freeze_count: toNumber(freezes[0]?.freezes) ?? 0,
    recorded: recordedKinds(counts),
    missing: notRecorded(counts),
    waits: null,
    findings: null,
  };
}

/** CPU time of all runs: of the whole recording as it is summed already. */
async function cpuOf(query: Query, range: TimeRange, facts: Facts, origin_ns: number): Promise<CpuOf> {
  const { outline, tables } = dataOf(query);
  const exact = { buckets: SUMMED_STEPS, source: 'switches' } as const;
  if (range.start <= origin_ns && range.end >= origin_ns + facts.recorded_ns) {
    const { parts, bucket_ns } = await cpuOfSums(outline, tables, range.start);
    return readCpu(outline, parts, { ...exact, bucket_ns }, range, facts.cpu_count);
  }
  const bucket_ns = Math.max(1, Math.ceil((range.end - Math.floor(range.start)) / SUMMED_STEPS));
  const steps = { ...exact, bucket_ns };
  return readCpu(outline, await cpuOfRuns(outline, tables, range, steps), steps, range, facts.cpu_count);
}

/** What of `range` was converted. */
function convertedPart({ selected_from_ts, selected_to_ts }: Row, range: TimeRange): TimeRange {
  const start = Math.max(range.start, toNumber(selected_from_ts) ?? range.start);
  const end = Math.min(range.end, toNumber(selected_to_ts) ?? range.end);
  return start < end ? { start, end } : range;
}

function readFacts(row: Row, range: TimeRange): Facts {
  return {
    dur_ns: range.end - range.start,
    recorded_ns: toNumber(row.dur_ns) ?? 0,
    // Beyond what a number holds exactly, and JSON has no other.
    start_utc_ns: toNumber(row.start_utc_ns) === null ? null : String(row.start_utc_ns),
    utc_offset_minutes: toNumber(row.utc_offset_minutes),
    os_version: toText(row.os_version),
    os_build: toNumber(row.os_build),
    pointer_bytes: toNumber(row.pointer_bytes),
    cpu_count: toNumber(row.cpu_count) ?? 0,
    cpu_mhz: toNumber(row.cpu_mhz),
    processes: toNumber(row.processes) ?? 0,
    threads: toNumber(row.threads) ?? 0,
    events_read: toNumber(row.events_read) ?? 0,
    context_switches: toNumber(row.context_switches) ?? 0,
    events_lost: toNumber(row.events_lost) ?? 0,
    buffers_lost: toNumber(row.buffers_lost) ?? 0,
    gaps: toNumber(row.gaps) ?? 0,
  };
}

function readSpan(row: Row): ProcessSpan {
  return { ts: Number(row.ts), dur: Number(row.dur), process: toText(row.process), pid: toNumber(row.pid) };
}

function readFreeze(row: Row): Freeze {
  return { ...readSpan(row), open_start: row.open_start === 1, open_end: row.open_end === 1 };
}
