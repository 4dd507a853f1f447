import type { Stretch, Tables, Values } from '../tables/index.ts';

/** How a range is cut into buckets of time. */
export interface Cut {
  /** The bounds of the buckets, rising: one more than there are buckets. */
  readonly edges: readonly number[];
  /** The stretch whose buckets are steps of `etw_cpu_time`; null where all buckets but the last have one length. */
  readonly steps: Stretch | null;
}

/** What ran in a bucket. A thread at one rank and priority can have many of them. */
export type VisitRan = (
  bucket: number,
  utid: number,
  priority: number,
  /** NaN where it was not recorded. */
  rank: number,
  ran_ns: number,
  /** Context switches to the thread in the bucket. */
  switches: number,
) => void;

/** Calls `visit` with the CPU time and the context switches of each bucket. Whole steps are summed already; runs give the rest. */
export async function visitRan(tables: Tables, { edges, steps }: Cut, visit: VisitRan): Promise<void> {
  const [start = 0, second = 0] = edges;
  const end = edges.at(-1) ?? 0;
  if (steps === null) {
    await visitRuns(tables, { start, end }, 0, second - start, visit);
    return;
  }
  await visitRuns(tables, { start, end: steps.start }, 0, steps.start - start, visit);
  await visitSteps(tables, steps, edges.indexOf(steps.start), visit);
  await visitRuns(tables, { start: steps.end, end }, edges.indexOf(steps.end), end - steps.end, visit);
}

async function visitSteps(
  tables: Tables,
  { start, end }: Stretch,
  firstBucket: number,
  visit: VisitRan,
): Promise<void> {
  const names = ['ts', 'dur', 'utid', 'priority', 'rank', 'ran_ns', 'switches'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_cpu_time', names, { start, end })) {
    const { ts, dur, utid, priority, rank, ran_ns, switches } = columns;
    const step_ns = dur.values[0] ?? 1;
    for (let row = 0; row < rowCount; row++) {
      const at = ts.values[row] ?? 0;
      if (at < start || at >= end) continue;
      visit(
        firstBucket + Math.round((at - start) / step_ns),
        utid.values[row] ?? 0,
        priority.values[row] ?? 0,
        rankAt(rank, row),
        ran_ns.values[row] ?? 0,
        switches.values[row] ?? 0,
      );
    }
  }
}

/** The runs of a stretch, in buckets of one length from its start on. */
async function visitRuns(
  tables: Tables,
  { start, end }: Stretch,
  firstBucket: number,
  bucket_ns: number,
  visit: VisitRan,
): Promise<void> {
  if (start >= end) return;
  const names = ['ts', 'te', 'utid', 'priority', 'rank'] as const;
  // From 1 ns before on: a run of no length at the start is a context switch too.
  for await (const { rowCount, columns } of tables.batches('etw_run', names, { start: start - 1, end })) {
    const { ts, te, utid, priority, rank } = columns;
    for (let row = 0; row < rowCount; row++) {
      const begin = ts.values[row] ?? 0;
      const stop = te.values[row] ?? 0;
      if (begin >= end || (begin < start && stop <= start)) continue;
      const isBegun = begin < start;
      const to = Math.min(stop, end);
      let from = isBegun ? start : begin;
      let bucket = Math.floor((from - start) / bucket_ns);
      let switches = Number(!isBegun);
      do {
        const until = Math.min(to, start + (bucket + 1) * bucket_ns);
        visit(
          firstBucket + bucket,
          utid.values[row] ?? 0,
          priority.values[row] ?? 0,
          rankAt(rank, row),
          until - from,
          switches,
        );
        from = until;
        switches = 0;
        bucket++;
      } while (from < to);
    }
  }
}

function rankAt({ values, present }: Values, row: number): number {
  return present?.[row] === 0 ? NaN : (values[row] ?? NaN);
}
