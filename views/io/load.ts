import { toNumber, toText, type Query, type Row } from '../../shared/engine/index.ts';
import { loadHeld, loadRecording } from '../../shared/recording/index.ts';
import {
  loadThreadNames,
  processLabel,
  upidsMatching,
  utidsMatching,
  type ThreadName,
} from '../../shared/threads/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { cutIntoBuckets, histogramBars, percentileOf, type DurationsInBin } from '../kit/index.ts';
import depthSql from './depth.sql';
import durationsSql from './durations.sql';
import groupsSql from './groups.sql';
import longestSql from './longest.sql';
import type { Direction, Io, IoDepth, IoGroup, IoLine, IoModel, IoSummary, Source } from './model.ts';
import { params as specs, type IoParams, recordingOf, SIGNAL_OF } from './params.ts';
import passingSql from './passing.sql';
import { NOUNS } from './words.ts';
import seriesSql from './series.sql';

const SOURCES: readonly Source[] = ['disk', 'file', 'hard_fault'];
/** Of paths there can be as many as I/Os. */
const MAX_PATHS = 10_000;
const ALL = -1;

/** Which threads pass, as JSON arrays: all of some processes, which can have a million, and some that are listed; null for all. */
function threadFilter(names: ReadonlyMap<number, ThreadName>, wanted: IoParams) {
  const utids = utidsMatching(names, wanted);
  const upids = wanted.thread ? null : upidsMatching(names, wanted.process);
  const isListed = (utid: number) => upids?.has(names.get(utid)?.upid ?? NaN) !== true;
  return {
    upids: JSON.stringify([...(upids ?? [])]),
    utids: utids === null ? null : JSON.stringify(utids.filter(isListed)),
  };
}

/** Asks for the I/O of `range` that passes the filters. */
export async function loadIo(query: Query, params: IoParams, range: TimeRange): Promise<IoModel> {
  const { edges } = cutIntoBuckets(range, 0, null);
  const [range_start = 0, next = 0] = edges;
  const range_end = edges.at(-1) ?? 0;
  const held = await loadHeld(query, Object.values(SIGNAL_OF));
  const recorded = SOURCES.filter((source) => held.has(SIGNAL_OF[source]));
  const source = SOURCES.find((each) => each === params.source) ?? recorded[0] ?? 'disk';
  const recording = await loadRecording(query, recordingOf(source), { range_start, range_end });
  const names = await loadThreadNames(dataOf(query).tables);
  const filters = {
    ...{ range_start, range_end, source },
    ...threadFilter(names, params),
    path: params.path === '' ? null : params.path,
    min_ns: Math.round((params.min_ms ?? 0) * 1e6),
    direction: params.direction === 'all' ? null : params.direction,
  };
  const ask = async (sql: string, more = {}) => [
    ...(await query(passingSql + sql, { ...filters, ...more })).rows(),
  ];
  const bucket_ns = next - range_start;
  const series = await ask(seriesSql, { bucket_ns });
  const depths = await ask(depthSql, { bucket_ns });
  const bins = (await ask(durationsSql)).map(readBin);
  const processes = await ask(groupsSql, { by: 'process', max_groups: ALL });
  const paths = await ask(groupsSql, { by: 'path', max_groups: MAX_PATHS });
  const kinds = await ask(groupsSql, { by: 'kind', max_groups: ALL });
  const ios = await ask(longestSql, { max_rows: Math.round(params.limit ?? specs.limit.default) });
  const groups = processes.map((row) => readGroup(row, names.get(toNumber(row.utid) ?? NaN)));
  return {
    origin_ns: recording.origin_ns,
    unrecorded: recording.unrecorded,
    notes: [...recording.notes, ...otherNotes(source, recorded)],
    source,
    summary: summarise(groups, bins),
    edges,
    lines: linesOf(series, edges.length - 1),
    depths: depthsOf(depths, edges.length - 1, bucket_ns),
    histogram: histogramBars(bins),
    processes: groups,
    paths: paths.map((row) => ({ ...readGroup(row, undefined), name: toText(row.key) })),
    path_count: toNumber(paths[0]?.group_count) ?? 0,
    kinds: kinds.map((row) => ({
      ...readGroup(row, undefined),
      name: toText(row.kind),
      disk: toNumber(row.disk),
    })),
    ios: ios.map((row) => readIo(row, names)),
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

type Bin = DurationsInBin & { readonly sum_ns: number };

function readBin(row: Row): Bin {
  const { bin, ios, sum_ns, max_ns } = row;
  return { bin: Number(bin), count: Number(ios), sum_ns: Number(sum_ns), max_ns: Number(max_ns) };
}

function summarise(processes: readonly IoGroup[], bins: readonly Bin[]): IoSummary {
  const total = <T>(rows: readonly T[], of: (row: T) => number) =>
    rows.reduce((sum, row) => sum + of(row), 0);
  return {
    count: total(processes, ({ count }) => count),
    ended: total(bins, ({ count }) => count),
    read_bytes: total(processes, ({ read_bytes }) => read_bytes),
    written_bytes: total(processes, ({ written_bytes }) => written_bytes),
    sum_ns: total(bins, ({ sum_ns }) => sum_ns),
    p50_ns: percentileOf(bins, 0.5),
    p90_ns: percentileOf(bins, 0.9),
    p99_ns: percentileOf(bins, 0.99),
    max_ns: bins.at(-1)?.max_ns ?? 0,
  };
}

function linesOf(rows: readonly Row[], buckets: number): readonly IoLine[] {
  const lines = new Map<string, { label: string; counts: number[]; size_bytes: number[] }>();
  for (const row of rows) {
    const disk = toNumber(row.disk);
    const label = `${disk === null ? '' : `disk ${disk} `}${toText(row.direction) ?? ''}`;
    let line = lines.get(label);
    if (line === undefined) {
      const zeros = () => new Array<number>(buckets).fill(0);
      line = { label, counts: zeros(), size_bytes: zeros() };
      lines.set(label, line);
    }
    line.counts[Number(row.bucket)] = Number(row.ios);
    line.size_bytes[Number(row.bucket)] = Number(row.size_bytes);
  }
  return [...lines.values()];
}

/** The mean of each bucket, from how the number changes in them. */
function depthsOf(rows: readonly Row[], buckets: number, bucket_ns: number): readonly IoDepth[] {
  const disks = [...new Set(rows.map(({ disk }) => toNumber(disk)))];
  return disks.map((disk) => {
    const changes = new Map(
      rows.filter((row) => toNumber(row.disk) === disk).map((row) => [Number(row.bucket), row]),
    );
    let under_way = 0;
    const values = Array.from({ length: buckets }, (_, bucket) => {
      const change = changes.get(bucket);
      const mean = under_way + Number(change?.depth_ns ?? 0) / bucket_ns;
      under_way += Number(change?.steps ?? 0);
      return mean;
    });
    return { label: disk === null ? 'under way' : `disk ${disk}`, values };
  });
}

function readGroup(row: Row, thread: ThreadName | undefined): IoGroup {
  return {
    name: thread === undefined ? null : processLabel(thread),
    pid: thread?.pid ?? null,
    disk: null,
    count: Number(row.ios),
    read_bytes: toNumber(row.read_bytes) ?? 0,
    written_bytes: toNumber(row.written_bytes) ?? 0,
    sum_ns: toNumber(row.sum_ns),
    p50_ns: toNumber(row.p50_ns),
    p90_ns: toNumber(row.p90_ns),
    p99_ns: toNumber(row.p99_ns),
    max_ns: toNumber(row.max_ns),
  };
}

function readIo(row: Row, names: ReadonlyMap<number, ThreadName>): Io {
  const thread = names.get(toNumber(row.utid) ?? NaN);
  return {
    ts: Number(row.ts),
    dur: toNumber(row.dur),
    kind: toText(row.kind) ?? '',
    direction: (toText(row.direction) ?? 'other') as Direction,
    size_bytes: toNumber(row.size_bytes),
    path: toText(row.path),
    disk: toNumber(row.disk),
    priority: toText(row.priority),
    status: toText(row.status),
    utid: toNumber(row.utid),
    process: thread?.process ?? null,
    pid: thread?.pid ?? null,
    tid: thread?.tid ?? null,
  };
}
