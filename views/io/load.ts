import { sum } from 'd3';
import type { Query } from '../../shared/engine/index.ts';
import { loadHeld, knownOf, loadRecording } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, processLabel, type ThreadName } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { cutIntoBuckets, histogramBars, percentileOf } from '../kit/index.ts';
import { Longest } from './longest.ts';
import type { Io, IoGroup, IoModel, IoSummary, Source } from './model.ts';
import { params as specs, type IoParams, recordingOf, SIGNAL_OF } from './params.ts';
import { eachPassing, type Passing } from './passing.ts';
import { IoSums, type Bin, type GroupSums } from './sums.ts';
import { NOUNS } from './words.ts';

const SOURCES: readonly Source[] = ['disk', 'file', 'hard_fault'];
/** Of paths there can be as many as I/Os. */
const MAX_PATHS = 10_000;
/** Asks for the I/O of `range` that passes the filters. */
export async function loadIo(query: Query, params: IoParams, range: TimeRange): Promise<IoModel> {
  const { edges } = cutIntoBuckets(range, 0, null);
  const [range_start = 0] = edges;
  const range_end = edges.at(-1) ?? 0;
  const held = await loadHeld(query, Object.values(SIGNAL_OF));
  const recorded = SOURCES.filter((source) => held.has(SIGNAL_OF[source]));
  const source = SOURCES.find((each) => each === params.source) ?? recorded[0] ?? 'disk';
  const recording = await loadRecording(query, recordingOf(source), { range_start, range_end });
  const names = await loadThreadNames(dataOf(query).tables);
  const sums = new IoSums(edges);
  const longest = new Longest(Math.round(params.limit ?? specs.limit.default));
  await eachPassing(query, source, params, names, [range_start, range_end], (io) => {
    sums.add(io);
    longest.add(io);
  });
  const bins = sums.bins();
  const { processes, paths, kinds } = sums.groups();
  const groups = processes.map((row) => readGroup(row, names.get(row.utid ?? NaN)));
  return {
    ...knownOf(recording),
    notes: [...recording.notes, ...otherNotes(source, recorded)],
    source,
    summary: summarise(groups, bins),
    edges,
    lines: sums.lines(),
    depths: sums.depths(),
    histogram: histogramBars(bins),
    processes: groups,
    paths: paths.slice(0, MAX_PATHS).map((row) => ({
      ...readGroup(row, undefined),
      name: row.key === null ? null : String(row.key),
    })),
    path_count: paths.length,
    kinds: kinds.map((row) => ({ ...readGroup(row, undefined), name: row.kind, disk: row.disk })),
    ios: longest.sorted().map((io) => readIo(io, names)),
    waits: null,
    others: null,
  };
}

/** Where to look instead, if a source has nothing. */
function otherNotes(source: Source, recorded: readonly Source[]): readonly string[] {
  const [other] = recorded;
  if (other === undefined || recorded.includes(source)) return [];
  return [`The trace has ${NOUNS[other][1]} (source: ${other}).`];
}

function summarise(processes: readonly IoGroup[], bins: readonly Bin[]): IoSummary {
  return {
    count: sum(processes, ({ count }) => count),
    ended: sum(bins, ({ count }) => count),
    read_bytes: sum(processes, ({ read_bytes }) => read_bytes),
    written_bytes: sum(processes, ({ written_bytes }) => written_bytes),
    sum_ns: sum(bins, ({ sum_ns }) => sum_ns),
    p50_ns: percentileOf(bins, 0.5),
    p90_ns: percentileOf(bins, 0.9),
    p99_ns: percentileOf(bins, 0.99),
    max_ns: bins.at(-1)?.max_ns ?? 0,
  };
}

function readGroup(row: GroupSums, thread: ThreadName | undefined): IoGroup {
  const ofEnded = (ns: number) => (row.ended === 0 ? null : ns);
  return {
    name: thread === undefined ? null : processLabel(thread),
    pid: thread?.pid ?? null,
    disk: null,
    count: row.count,
    read_bytes: row.read_bytes,
    written_bytes: row.written_bytes,
    sum_ns: ofEnded(row.sum_ns),
    p50_ns: ofEnded(row.p50_ns),
    p90_ns: ofEnded(row.p90_ns),
    p99_ns: ofEnded(row.p99_ns),
    max_ns: ofEnded(row.max_ns),
  };
}

function readIo(io: Passing, names: ReadonlyMap<number, ThreadName>): Io {
  const thread = names.get(io.utid ?? NaN);
  return {
    ts: io.ts,
    dur: io.dur,
    kind: io.kind,
    direction: io.direction,
    size_bytes: io.size_bytes,
    path: io.path,
    disk: io.disk,
    priority: io.priority,
    status: io.status,
    utid: io.utid,
    process: thread?.process ?? null,
    service: thread?.service ?? null,
    pid: thread?.pid ?? null,
    tid: thread?.tid ?? null,
    thread: thread?.thread ?? null,
  };
}
