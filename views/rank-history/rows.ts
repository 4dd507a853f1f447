import { max, rollup } from 'd3';
import { toNumber, toText, type Query, type Row } from '../../shared/engine/index.ts';
import { dataOf, type Batch, type TableName } from '../../shared/tables/index.ts';
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
  const lookedAt = new LookedAt(drawn, changing);
  const runs = await readRuns(query, asked, lookedAt);
  const waits = await readWaits(query, asked, lookedAt);
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
        .filter(({ ts, dur }) => overlaps(ts, ts + dur, asked))
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

const overlaps = (ts: number, te: number, { range_start, range_end }: Bounds) =>
  ts < range_end && te > range_start;

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
    const ranked = spans.filter(({ ts, dur, rank }) => rank > 0 && overlaps(ts, ts + dur, asked));
    if (ranked.length === 0) return [];
    const ranked_ns = ranked.reduce((sum, { ts, dur }) => sum + clipped(ts, ts + dur, asked), 0);
    return [{ utid, about, spans, ranked_ns, highest_rank: Math.max(...ranked.map(({ rank }) => rank)) }];
  });
}

/** Threads that are looked at, by their places: maps take too long for millions of rows. */
class LookedAt {
  readonly utids: readonly number[];
  /** By key of a thread its place; {@link NONE} for others. */
  readonly placeOf: Int32Array;
  /** 1 for those that are drawn. */
  readonly isDrawn: Uint8Array;
  /** Of those whose rank changes. */
  readonly isChanging: Uint8Array;

  constructor(drawn: readonly RankedThread[], changing: ReadonlySet<number>) {
    const utids = new Set([...drawn.map(({ utid }) => utid), ...changing]);
    this.utids = [...utids];
    this.placeOf = new Int32Array(1 + (max(this.utids) ?? -1)).fill(NONE);
    this.utids.forEach((utid, place) => (this.placeOf[utid] = place));
    // Those that are drawn come first.
    this.isDrawn = Uint8Array.from(this.utids, (_, place) => Number(place < drawn.length));
    this.isChanging = Uint8Array.from(this.utids, (utid) => Number(changing.has(utid)));
  }

  /** What stands at the place of each thread, by its key. */
  byThread<T>(values: ArrayLike<T>, none: T): ReadonlyMap<number, T> {
    return new Map(this.utids.map((utid, place) => [utid, values[place] ?? none]));
  }
}

const NONE = -1;

/** What threads did at a rank above 0 in the range, and when those did it at all whose rank changes. */
interface Read {
  readonly ranked_ns: ReadonlyMap<number, number>;
  readonly times: ReadonlyMap<number, ThreadTimes>;
}

async function readRuns(query: Query, asked: Asked, of: LookedAt): Promise<Read> {
  const ranked_ns = new Float64Array(of.utids.length);
  const stretch = { start: asked.range_start - SECOND_NS, end: asked.range_end };
  const times = await visit(query, 'etw_run', stretch, of, (place, ts, te, rank) => {
    if (rank === 0 || !overlaps(ts, te, asked)) return;
    ranked_ns[place] = (ranked_ns[place] ?? 0) + clipped(ts, te, asked);
  });
  return { ranked_ns: of.byThread(ranked_ns, 0), times };
}

interface ReadWaits extends Read {
  readonly longest_ns: ReadonlyMap<number, number>;
  /** Those that are long enough to be drawn. */
  readonly long: { kind: string; utid: number; ts: number; dur: number; rank: number }[];
}

async function readWaits(query: Query, asked: Asked, of: LookedAt): Promise<ReadWaits> {
  const judged = await loadJudgedRanks(query);
  const ranked_ns = new Float64Array(of.utids.length);
  const longest_ns = new Float64Array(of.utids.length);
  const long: ReadWaits['long'] = [];
  // A rank may be kept for longer than the range lasts.
  const stretch = { start: asked.range_start, end: Infinity };
  const times = await visit(query, 'etw_ready_wait', stretch, of, (place, ts, te, recorded) => {
    if (!overlaps(ts, te, asked)) return;
    const utid = of.utids[place] ?? 0;
    const rank = judged.of(utid, ts)?.rank ?? recorded;
    if (rank === 0) return;
    const dur = te - ts;
    ranked_ns[place] = (ranked_ns[place] ?? 0) + clipped(ts, te, asked);
    if (dur > (longest_ns[place] ?? 0)) longest_ns[place] = dur;
    if (dur >= asked.shortest_ns) long.push({ kind: 'ready', utid, ts, dur, rank });
  });
  return { ranked_ns: of.byThread(ranked_ns, 0), times, longest_ns: of.byThread(longest_ns, 0), long };
}

/** Calls `each` with the rows of a table that are of threads which are drawn, and gives when those did it whose rank changes. A rank that was not recorded is 0. */
async function visit(
  query: Query,
  table: Extract<TableName, 'etw_run' | 'etw_ready_wait'>,
  stretch: { readonly start: number; readonly end: number },
  lookedAt: LookedAt,
  each: (place: number, ts: number, te: number, rank: number) => void,
): Promise<ReadonlyMap<number, ThreadTimes>> {
  const { utids, placeOf, isDrawn, isChanging } = lookedAt;
  if (utids.length === 0) return new Map();
  const times = utids.map(() => new ThreadTimes());
  const lookAt = ({ rowCount, columns: { ts, te, utid, rank } }: Batch<(typeof COLUMNS)[number]>) => {
    for (let row = 0; row < rowCount; row++) {
      const place = placeOf[utid.values[row] ?? 0] ?? NONE;
      if (place === NONE) continue;
      const begin = ts.values[row] ?? 0;
      const end = te.values[row] ?? 0;
      if (isChanging[place] === 1) times[place]?.add(begin, end);
      if (isDrawn[place] === 1)
        each(place, begin, end, rank.present?.[row] === 0 ? 0 : (rank.values[row] ?? 0));
    }
  };
  for await (const batch of dataOf(query).tables.batches(table, COLUMNS, stretch)) lookAt(batch);
  return lookedAt.byThread(times, new ThreadTimes());
}

const COLUMNS = ['ts', 'te', 'utid', 'rank'] as const;

async function askAround(
  query: Query,
  changes: readonly { readonly thread: RankedThread; readonly span: Span }[],
): Promise<readonly Row[]> {
  const asked = changes.map(({ thread, span: { ts, dur } }) => [ts, dur, toNumber(thread.about.upid)]);
  return [...(await dataOf(query).outline(aroundSql, { changes: JSON.stringify(asked) })).rows()];
}
