import type { Bounds, Tables } from '../../shared/tables/index.ts';

/** Which parts of a range are looked at: the first `window_ns` of each bucket. */
export interface Windows extends Bounds {
  readonly bucket_ns: number;
  readonly window_ns: number;
}

/** How often two threads followed one another on a CPU, and woke one another; `a` has the lower utid. */
export interface PairCounts {
  readonly a: number;
  readonly b: number;
  switches_there: number;
  switches_back: number;
  wakes_there: number;
  wakes_back: number;
}

/** utids have 24 bits. */
const UTIDS = 2 ** 24;

/** Counts the pairs of threads of a range: those with most wakes or switches first. */
export async function countPairs(
  tables: Tables,
  windows: Windows,
  isWanted: (utid: number) => boolean,
): Promise<readonly PairCounts[]> {
  const pairs = new Map<number, PairCounts>();
  const { range_start, range_end, bucket_ns, window_ns } = windows;
  const isLookedAt = (ts: number) =>
    ts >= range_start && ts < range_end && (ts - range_start) % bucket_ns < window_ns;
  const pairOf = (from: number, to: number): PairCounts | null => {
    if (from === to || !(isWanted(from) || isWanted(to))) return null;
    const [a, b] = [Math.min(from, to), Math.max(from, to)];
    const key = a * UTIDS + b;
    const known = pairs.get(key);
    if (known !== undefined) return known;
    const pair = { a, b, switches_there: 0, switches_back: 0, wakes_there: 0, wakes_back: 0 };
    pairs.set(key, pair);
    return pair;
  };
  // From before on: what ran last before the range gives way in it.
  const range = { start: range_start - 1, end: range_end };
  await visitTurns(tables, range, (ts, from, to) => {
    const pair = isLookedAt(ts) ? pairOf(from, to) : null;
    if (pair === null) return;
    if (from < to) pair.switches_there++;
    else pair.switches_back++;
  });
  const names = ['ts', 'utid', 'waker_utid'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_ready_wait', names, range)) {
    const { ts, utid, waker_utid } = columns;
    for (let row = 0; row < rowCount; row++) {
      if (waker_utid.present?.[row] === 0 || !isLookedAt(ts.values[row] ?? 0)) continue;
      const from = waker_utid.values[row] ?? 0;
      const to = utid.values[row] ?? 0;
      const pair = pairOf(from, to);
      if (pair === null) continue;
      if (from < to) pair.wakes_there++;
      else pair.wakes_back++;
    }
  }
  const most = (pair: PairCounts) =>
    Math.max(pair.wakes_there + pair.wakes_back, pair.switches_there + pair.switches_back);
  return [...pairs.values()].sort((p, q) => most(q) - most(p) || p.a - q.a || p.b - q.b);
}

/** Calls `visit` for each switch from a thread to another with no time between them on the CPU. The runs of a CPU come in its order. */
async function visitTurns(
  tables: Tables,
  range: { readonly start: number; readonly end: number },
  visit: (ts: number, from: number, to: number) => void,
): Promise<void> {
  const last = new Map<number, { te: number; utid: number }>();
  const names = ['ts', 'te', 'cpu', 'utid'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_run', names, range)) {
    const [starts, ends] = [columns.ts.values, columns.te.values];
    const [cpus, utids] = [columns.cpu.values, columns.utid.values];
    for (let row = 0; row < rowCount; row++) {
      const ts = starts[row] ?? 0;
      const cpu = cpus[row] ?? 0;
      const utid = utids[row] ?? 0;
      const before = last.get(cpu) ?? { te: -1, utid: 0 };
      if (before.te === ts && utid !== 0 && before.utid !== 0) visit(ts, before.utid, utid);
      last.set(cpu, before);
      before.te = ends[row] ?? 0;
      before.utid = utid;
    }
  }
}
