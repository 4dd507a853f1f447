import { max } from 'd3';
import { dataOf, grown, readTraceFacts, type Batch, type Tables } from '../../tables/index.ts';
import { loadKnownThreads, threadLabel } from '../../threads/index.ts';
import type { MeasuredTrace, MeasureName, MeasureRow } from '../measures/index.ts';
import { nullIf, type Draw, type DrawnRow } from './draw.ts';

/** Threads of this priority and above are held up by others: below it they are meant to wait. */
const NORMAL = 8;
/** What is shorter is of no user's concern. */
const NOTABLE_NS = 100_000_000;
/** A long wait of two kinds. */
const LONG_NS = 10_000_000;
/** What a move to another CPU costs about. */
const MOVE_SECONDS = 5e-6;

/** Draws rows of those that a measure found: `toRow` gives null for what the rule leaves out. */
function ofMeasure(
  name: MeasureName,
  toRow: (
    row: MeasureRow,
    threshold: number,
    trace: MeasuredTrace,
  ) => Promise<DrawnRow | null> | DrawnRow | null,
): Draw {
  return async (trace, threshold) => {
    const drawn: DrawnRow[] = [];
    for (const row of await trace.rowsOf(name, threshold)) {
      const made = await toRow(row, threshold, trace);
      if (made !== null) drawn.push(made);
    }
    return drawn;
  };
}

/** A number that the measure knows of each row. */
const known = (value: number | null | undefined): number => value ?? NaN;

const placeOf = ({ ts, dur, utid }: MeasureRow) => ({
  ts: known(ts),
  dur: known(dur),
  utid: utid ?? null,
  upid: null,
});

export const rankStarvation = ofMeasure('outranked', (row, threshold) => {
  const { dur, lost_ns, rank = null, rank_after = null, priority = null, waits, outranked_ns } = row;
  if (!(known(dur) >= threshold && known(outranked_ns) * 2 >= known(dur))) return null;
  return {
    ...placeOf(row),
    seconds_lost: known(lost_ns) / 1e9,
    ...{ lost_ns: known(lost_ns), rank, priority, outranked_ns: known(outranked_ns) },
    rank_after: nullIf(rank_after, rank),
    more_waits: nullIf(known(waits) - 1, 0),
  };
});

export const longReadyWait = ofMeasure('late', async (row, threshold, { query }) => {
  const { dur, sum_ns, priority = null, others = null, processes = null, readied_ns = null } = row;
  if (!(known(dur) >= threshold)) return null;
  const waker = (await loadKnownThreads(dataOf(query).tables)).of(row.waker_utid ?? -1);
  return {
    ...placeOf(row),
    seconds_lost: (others === null ? known(sum_ns) : known(dur)) / 1e9,
    ...{ lost_ns: known(sum_ns), priority, others, processes, readied_ns },
    more_waits: nullIf(row.more_waits ?? null, 0),
    waker: waker.tid === null ? null : threadLabel(waker),
  };
});

export const releaseMoment = ofMeasure('released', (row, threshold) => {
  const { longest_ns, threads = null, processes = null } = row;
  if (!(known(threads) >= threshold)) return null;
  return {
    ...placeOf(row),
    seconds_lost: known(longest_ns) / 1e9,
    ...{ longest_ns: known(longest_ns), threads, processes },
  };
});

export const switchStorm = ofMeasure('storms', (row, threshold) => {
  const { dur, runs, switches = null, peak_per_s = null, peak_switches } = row;
  if (!(known(peak_per_s) > threshold)) return null;
  return {
    ...placeOf(row),
    seconds_lost: known(dur) / 1e9,
    ...{ switches, peak_per_s, share: known(runs) / known(peak_switches) },
  };
});

export const preemption: Draw = async (trace, threshold) => {
  const { tables } = dataOf(trace.query);
  const facts = await readTraceFacts(tables);
  if (facts === null) return [];
  const least_ns = Math.max(NOTABLE_NS, threshold * (facts.end_ts - facts.start_ts));
  // Who was not put aside for so long in all was not by one thread either: to tell by whom takes longer.
  if ((await mostPutAside(tables)) < least_ns) return [];
  const threads = await loadKnownThreads(tables);
  return (await trace.rowsOf('preempted', threshold)).flatMap((row): DrawnRow[] => {
    const { ready_ns, times = null, priority = null, by_priority = null, rank = null, by_rank = null } = row;
    if (!(known(priority) >= NORMAL && known(ready_ns) >= least_ns)) return [];
    const by = threads.of(row.by_utid ?? -1);
    return [
      {
        ...placeOf(row),
        seconds_lost: known(ready_ns) / 1e9,
        ...{ ready_ns: known(ready_ns), times, priority, by_priority, rank, by_rank },
        by: by.tid === null ? null : threadLabel(by),
      },
    ];
  });
};

/** How long the thread was ready in all that was most, after others had taken its CPU. */
async function mostPutAside(tables: Tables): Promise<number> {
  let sums_ns = new Float64Array(1 << 10);
  for await (const batch of tables.batches('etw_ready_wait', ['ts', 'te', 'utid', 'cause']))
    sums_ns = addPutAside(batch, sums_ns);
  return max(sums_ns) ?? 0;
}

/** A function of its own, which is compiled for all batches. Gives the sums, which may have grown. */
function addPutAside(
  { rowCount, columns }: Batch<'ts' | 'te' | 'utid' | 'cause'>,
  sums_ns: Float64Array<ArrayBuffer>,
): Float64Array<ArrayBuffer> {
  const [starts, ends, utids] = [columns.ts.values, columns.te.values, columns.utid.values];
  const causes = columns.cause.values;
  const preempted = columns.cause.texts?.indexOf('preempted') ?? -1;
  let sums = sums_ns;
  for (let row = 0; row < rowCount; row++) {
    if (causes[row] !== preempted) continue;
    const utid = (utids[row] ?? 0) | 0;
    if (utid >= sums.length) sums = grown(sums, new Float64Array(2 * utid));
    sums[utid] = (sums[utid] ?? 0) + (ends[row] ?? 0) - (starts[row] ?? 0);
  }
  return sums;
}

export const migration = ofMeasure('migrated', (row, threshold) => {
  const { dur, moves, runs = null, ran_ns = null, cpus = null } = row;
  if (!(known(dur) >= NOTABLE_NS && (known(moves) * 1e9) / known(dur) >= threshold)) return null;
  return {
    ...placeOf(row),
    seconds_lost: known(moves) * MOVE_SECONDS,
    ...{ moves: known(moves), runs, ran_ns, cpus },
  };
});

export const bimodalWaits = ofMeasure('two_modes', (row, threshold) => {
  const { waits = null, long_waits = null, short_ns = null, long_ns = null } = row;
  const { short_most_ns = null, long_least_ns, long_sum_ns } = row;
  if (!(known(long_least_ns) >= LONG_NS && known(long_sum_ns) >= threshold)) return null;
  return {
    ...placeOf(row),
    seconds_lost: known(long_sum_ns) / 1e9,
    ...{ waits, long_waits, short_ns, long_ns, short_most_ns },
    ...{ long_least_ns: known(long_least_ns), long_sum_ns: known(long_sum_ns) },
  };
});

export const blameAboveBound: Draw = async (trace, threshold) => {
  const facts = await readTraceFacts(dataOf(trace.query).tables);
  if (facts === null) return [];
  const all = await trace.rowsOf('blamed', threshold);
  const sum_ns = all.reduce((sum, { active_ns }) => sum + (active_ns ?? 0), 0);
  const trace_ns = facts.end_ts - facts.start_ts;
  return all.flatMap(({ ts, te, utid = null, active_ns, ran_ns = null, wakes = null }): DrawnRow[] => {
    const active = known(active_ns);
    if (!(active * 20 >= sum_ns && active >= NOTABLE_NS && active >= threshold * trace_ns)) return [];
    const place = { ts: known(ts), dur: known(te) - known(ts), utid, upid: null };
    return [{ ...place, seconds_lost: Math.min(active, trace_ns) / 1e9, active_ns: active, ran_ns, wakes }];
  });
};
