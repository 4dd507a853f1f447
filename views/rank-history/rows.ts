import { rollup } from 'd3';
import { toNumber, toText, type Query, type Row } from '../../shared/engine/index.ts';
import { dataOf, keyFlags, type Batch, type TableName } from '../../shared/tables/index.ts';
import { loadJudgedRanks } from '../../shared/why-late/columns/index.ts';
import aroundSql from './around.sql';
import { loadRecordedRanks } from './recorded-ranks.ts';
import { ThreadTimes } from './thread-times.ts';
import threadsSql from './threads.sql';

/** What is asked for. */
export interface Asked {
  readonly range_start: number;
  readonly range_end: number;
  /** Part of the name of the process; null for any. */
  readonly process: string | null;
  readonly max_lanes: number;
  readonly max_spans: number;
  readonly max_rows: number;
  /** Shorter ready waits are left out. */
  readonly shortest_ns: number;
}

/** What is drawn and listed. */
export interface RankRows {
  readonly lanes: readonly Row[];
  readonly spans: readonly Row[];
  readonly changes: readonly Row[];
}

interface Span {
  readonly ts: number;
  readonly dur: number;
  readonly rank: number;
  readonly last_rank: number | null;
  readonly last_ts: number | null;
}

interface RankedThread {
  readonly utid: number;
  readonly about: Row;
  /** All of the trace. */
  readonly spans: readonly Span[];
  readonly ranked_ns: number;
  readonly highest_rank: number;
}

/** Reads the threads longest at a rank above 0, what they did there, and the changes of rank. */
export async function readRankRows(query: Query, asked: Asked): Promise<RankRows> {
  const threads = (await rankedThreads(query, asked)).sort(
    (a, b) => b.ranked_ns - a.ranked_ns || a.utid - b.utid,
  );
  const drawn = threads.slice(0, asked.max_lanes);
  const changed = threads
    .flatMap((thread) =>
      thread.spans
        .filter(({ ts, last_rank }) => last_rank !== null && isWithin(ts, asked))
        .map((span) => ({ thread, span })),
    )
    .sort((a, b) => a.span.ts - b.span.ts);
  const first = changed.slice(0, asked.max_rows);
  const changing = new Set(first.map(({ thread }) => thread.utid));
  const runs = await readRuns(query, asked, drawn, changing);
  const waits = await readWaits(query, asked, drawn, changing);
  const lanes = drawn.map(({ utid, ranked_ns, highest_rank, about }) => ({
    ...about,
    ranked_ns,
    highest_rank,
    thread_count: threads.length,
    ran_ns: runs.ranked_ns.get(utid) ?? 0,
    ready_ns: waits.ranked_ns.get(utid) ?? 0,
    longest_ready_ns: waits.longest_ns.get(utid) ?? 0,
  }));
  const spans = drawn
    .flatMap(({ utid, spans }) =>
      spans
        .filter((span) => overlaps(span, asked))
        .map(({ ts, dur, rank }) => ({ kind: 'rank', utid, ts, dur, rank })),
    )
    .concat(waits.long)
    .sort((a, b) => a.ts - b.ts)
    .slice(0, asked.max_spans);
  const around = await askAround(query, first);
  const changes = first.map(({ thread: { utid, about }, span }, index) => ({
    ...about,
    ts: span.ts,
    dur: span.dur,
    rank: span.rank,
    last_rank: span.last_rank,
    changed_after_ts: span.last_ts,
    change_count: changed.length,
    ran_before_ns: runs.times.get(utid)?.within(span.ts - SECOND_NS, span.ts) ?? 0,
    ready_ns: waits.times.get(utid)?.within(span.ts, span.ts + span.dur) ?? 0,
    ...around[index],
  }));
  return { lanes, spans, changes };
}

const SECOND_NS = 1e9;

type Bounds = Pick<Asked, 'range_start' | 'range_end'>;

const isWithin = (ts: number, { range_start, range_end }: Bounds) => ts >= range_start && ts < range_end;

const overlaps = ({ ts, dur }: { readonly ts: number; readonly dur: number }, bounds: Bounds) =>
  ts < bounds.range_end && ts + dur > bounds.range_start;

/** How much of a stretch lies in the range, in ns. */
const clipped = (ts: number, te: number, { range_start, range_end }: Bounds) =>
  Math.min(te, range_end) - Math.max(ts, range_start);

/** The threads that had a rank above 0 in the range. */
async function rankedThreads(query: Query, asked: Asked): Promise<RankedThread[]> {
  const { changes, runs_end } = await loadRecordedRanks(query);
  const ofThread = rollup(
    changes,
    (own) => own,
    ({ utid }) => utid,
  );
  const utids = JSON.stringify([...ofThread.keys()]);
  const abouts = (await dataOf(query).outline(threadsSql, { utids, runs_end })).rows();
  const wanted = asked.process?.toLowerCase() ?? null;
  return [...abouts].flatMap((about) => {
    const process = toText(about.process)?.toLowerCase() ?? null;
    if (wanted !== null && process?.includes(wanted) !== true) return [];
    const utid = Number(about.utid);
    const own = ofThread.get(utid) ?? [];
    const until = toNumber(about.until_ts) ?? runs_end;
    const spans = own.map(({ ts, rank, last_rank, last_ts }, index) => ({
      ...{ ts, rank, last_rank, last_ts },
      dur: Math.max(0, (own[index + 1]?.ts ?? until) - ts),
    }));
    const ranked = spans.filter((span) => span.rank > 0 && overlaps(span, asked));
    if (ranked.length === 0) return [];
    const ranked_ns = ranked.reduce((sum, { ts, dur }) => sum + clipped(ts, ts + dur, asked), 0);
    return [{ utid, about, spans, ranked_ns, highest_rank: Math.max(...ranked.map(({ rank }) => rank)) }];
  });
}

/** What threads did at a rank above 0 in the range, and when those did it at all whose rank changes. */
interface Read {
  readonly ranked_ns: Map<number, number>;
  readonly times: ReadonlyMap<number, ThreadTimes>;
}

async function readRuns(
  query: Query,
  asked: Asked,
  drawn: readonly RankedThread[],
  changing: ReadonlySet<number>,
): Promise<Read> {
  const ranked_ns = new Map(drawn.map(({ utid }) => [utid, 0]));
  const times = timesOf(changing);
  const stretch = { start: asked.range_start - SECOND_NS, end: asked.range_end };
  const names = ['ts', 'te', 'utid', 'rank'] as const;
  await visit(query, 'etw_run', names, stretch, times, ranked_ns, ({ ts, te, utid, rank }, row) => {
    const of = utid.values[row] ?? 0;
    const begin = ts.values[row] ?? 0;
    const end = te.values[row] ?? 0;
    times.get(of)?.add(begin, end);
    const sum = ranked_ns.get(of);
    if (sum === undefined || rank.present?.[row] === 0 || rank.values[row] === 0) return;
    if (overlaps({ ts: begin, dur: end - begin }, asked)) ranked_ns.set(of, sum + clipped(begin, end, asked));
  });
  return { ranked_ns, times };
}

interface ReadWaits extends Read {
  readonly longest_ns: ReadonlyMap<number, number>;
  /** Those that are long enough to be drawn. */
  readonly long: { kind: string; utid: number; ts: number; dur: number; rank: number }[];
}

async function readWaits(
  query: Query,
  asked: Asked,
  drawn: readonly RankedThread[],
  changing: ReadonlySet<number>,
): Promise<ReadWaits> {
  const judged = await loadJudgedRanks(query);
  const ranked_ns = new Map(drawn.map(({ utid }) => [utid, 0]));
  const longest_ns = new Map<number, number>();
  const long: ReadWaits['long'] = [];
  const times = timesOf(changing);
  // A rank may be kept for longer than the range lasts.
  const stretch = { start: asked.range_start, end: Infinity };
  const names = ['ts', 'te', 'utid', 'rank'] as const;
  await visit(query, 'etw_ready_wait', names, stretch, times, ranked_ns, ({ ts, te, utid, rank }, row) => {
    const of = utid.values[row] ?? 0;
    const begin = ts.values[row] ?? 0;
    const end = te.values[row] ?? 0;
    times.get(of)?.add(begin, end);
    const sum = ranked_ns.get(of);
    const wait = { ts: begin, dur: end - begin };
    if (sum === undefined || !overlaps(wait, asked)) return;
    const recorded = rank.present?.[row] === 0 ? 0 : (rank.values[row] ?? 0);
    const at = judged.of(of, begin)?.rank ?? recorded;
    if (at === 0) return;
    ranked_ns.set(of, sum + clipped(begin, end, asked));
    longest_ns.set(of, Math.max(longest_ns.get(of) ?? 0, wait.dur));
    if (wait.dur >= asked.shortest_ns) long.push({ kind: 'ready', utid: of, ...wait, rank: at });
  });
  return { ranked_ns, times, longest_ns, long };
}

const timesOf = (utids: ReadonlySet<number>) =>
  new Map([...utids].map((utid): [number, ThreadTimes] => [utid, new ThreadTimes()]));

/** Calls `each` with the rows of a table that are of some threads. */
async function visit<C extends 'utid' | 'ts' | 'te' | 'rank'>(
  query: Query,
  table: Extract<TableName, 'etw_run' | 'etw_ready_wait'>,
  names: readonly C[],
  stretch: { readonly start: number; readonly end: number },
  some: ReadonlyMap<number, unknown>,
  others: ReadonlyMap<number, unknown>,
  each: (columns: Batch<C | 'utid'>['columns'], row: number) => void,
): Promise<void> {
  if (some.size + others.size === 0) return;
  // Millions of rows are looked up, and few are of these threads.
  const isOf = keyFlags([...some.keys(), ...others.keys()]);
  const all: readonly (C | 'utid')[] = names;
  for await (const { rowCount, columns } of dataOf(query).tables.batches(table, all, stretch)) {
    const utids = columns.utid.values;
    for (let row = 0; row < rowCount; row++) {
      const utid = utids[row] ?? 0;
      if (isOf[utid] === 1) each(columns, row);
    }
  }
}

async function askAround(
  query: Query,
  changes: readonly { readonly thread: RankedThread; readonly span: Span }[],
): Promise<readonly Row[]> {
  const asked = changes.map(({ thread, span: { ts, dur } }) => [ts, dur, toNumber(thread.about.upid)]);
  return [...(await dataOf(query).outline(aroundSql, { changes: JSON.stringify(asked) })).rows()];
}
