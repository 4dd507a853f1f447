import { rollup } from 'd3';
import { oncePerTrace, type Query, type Row } from '../../shared/engine/index.ts';
import { dataOf, rankChanges, readTraceFacts, type Bounds, type Tables } from '../../shared/tables/index.ts';
import { loadKnownThreads, type KnownThread } from '../../shared/threads/index.ts';
import { loadAround } from './around.ts';
import { loadChangeTimes } from './change-times.ts';
import { loadRankedTimes } from './ranked-times.ts';

/** What is asked for. */
export interface Asked extends Bounds {
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
  readonly about: KnownThread;
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
  const times = await loadRankedTimes(query, asked, asked.shortest_ns);
  const lanes = drawn.map(({ utid, ranked_ns, highest_rank, about }) => ({
    ...about,
    utid,
    ranked_ns,
    highest_rank,
    thread_count: threads.length,
    ran_ns: times.ran_ns[utid] ?? 0,
    ready_ns: times.ready_ns[utid] ?? 0,
    longest_ready_ns: times.longest_ready_ns[utid] ?? 0,
  }));
  const isDrawn = new Set(drawn.map(({ utid }) => utid));
  const spans = drawn
    .flatMap(({ utid, spans }) =>
      spans
        .filter(({ ts, dur }) => overlaps(ts, ts + dur, asked))
        .map(({ ts, dur, rank }) => ({ kind: 'rank', utid, ts, dur, rank })),
    )
    .concat(times.drawn.filter(({ utid }) => isDrawn.has(utid)).map((wait) => ({ kind: 'ready', ...wait })))
    .sort((a, b) => a.ts - b.ts)
    .slice(0, asked.max_spans);
  const kept = first.map(({ thread: { utid }, span: { ts, dur } }) => ({ utid, ts, te: ts + dur }));
  const around = await loadAround(dataOf(query).tables, kept);
  const of = await loadChangeTimes(query, kept);
  const changes = first.map(({ thread: { about }, span }, index) => ({
    ...about,
    ts: span.ts,
    dur: span.dur,
    rank: span.rank,
    last_rank: span.last_rank,
    changed_after_ts: span.last_ts,
    change_count: changed.length,
    ...of[index],
    ...around[index],
  }));
  return { lanes, spans, changes };
}

const isWithin = (ts: number, { range_start, range_end }: Bounds) => ts >= range_start && ts < range_end;

const overlaps = (ts: number, te: number, { range_start, range_end }: Bounds) =>
  ts < range_end && te > range_start;

/** How much of a stretch lies in the range, in ns. */
const clipped = (ts: number, te: number, { range_start, range_end }: Bounds) =>
  Math.min(te, range_end) - Math.max(ts, range_start);

const loadRankChanges = oncePerTrace((tables: Tables) => rankChanges(tables));

/** The threads that had a rank above 0 in the range. */
async function rankedThreads(query: Query, asked: Asked): Promise<RankedThread[]> {
  const { tables } = dataOf(query);
  const { changes, runs_end } = await loadRankChanges(tables);
  const end_ts = Math.max((await readTraceFacts(tables))?.end_ts ?? 0, runs_end);
  const ofThread = rollup(
    changes,
    (own) => own,
    ({ utid }) => utid,
  );
  const threads = await loadKnownThreads(tables);
  const wanted = asked.process?.toLowerCase() ?? null;
  return [...ofThread].flatMap(([utid, own]) => {
    const about = threads.of(utid);
    if (wanted !== null && about.process?.toLowerCase().includes(wanted) !== true) return [];
    const until = about.exit_ts ?? end_ts;
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
