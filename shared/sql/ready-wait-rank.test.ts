import { describe, expect, test } from 'vitest';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';

const READY = 1;
const WAITING = 5;
const MS = 1_000_000;
/** When the waiting thread is made ready, and when it runs. */
const READY_TS = 100 * MS;
const SWITCH_IN_TS = 300 * MS;

/** The thread that waits, at priority 14, and the one that makes it ready. */
const WAITER = 20;
const WAKER = 30;

interface Busy {
  readonly tid: number;
  readonly rank: number;
  readonly priority: number;
}

interface Story {
  /** Rank of the waiter at its last switch-out before the wait, and at the end of the run after it; null: there is none. */
  readonly before: number | null;
  readonly after: number | null;
  /** What CPU 0 and CPU 1 run while the thread waits; null: the idle thread. */
  readonly cpus: readonly [Busy, Busy | null];
  /** What CPU 0 runs is put aside for the waiter: it stays ready. Else it blocks. */
  readonly puts_aside?: boolean;
  /** The CPUs that the waiter may use, as bits. */
  readonly affinity?: number;
}

/** Two CPUs. The waiter runs on CPU 0, waits while others run on both, and runs on CPU 0 again. */
function play({ before, after, cpus: [first, second], puts_aside = false, affinity = 3 }: Story): Uint8Array {
  const leaves = { waitReason: 6, state: WAITING };
  const trace = new TraceWriter()
    .start(MS, 0)
    .fact(MS, 'etw.trace', { schema: 1, cpu_count: 2, start_ts: MS, end_ts: 500 * MS })
    .process(MS, 'LockApp.exe', '', { pid: 16 });
  for (const tid of [WAITER, WAKER, first.tid, ...(second === null ? [] : [second.tid])]) {
    trace.thread(MS, null, { tid, pid: 16, ...(tid === WAITER ? { affinity } : {}) });
  }
  trace.contextSwitch(2 * MS, 1, [0, 2, 0], [WAKER, 15, { rank: 0, outPriority: 15, ...leaves }]);
  if (before !== null) {
    trace
      .contextSwitch(10 * MS, 0, [0, 2, 0], [WAITER, 14, { rank: before, outPriority: 14, ...leaves }])
      .contextSwitch(20 * MS, 0, [WAITER, WAITING, 6], [0, 0]);
  }
  const ended = puts_aside ? { waitReason: 32, state: READY } : leaves;
  trace
    .contextSwitch(
      90 * MS,
      0,
      [0, 2, 0],
      [first.tid, first.priority, { rank: first.rank, outPriority: first.priority, ...ended }],
    )
    .readyThread(READY_TS, 1, WAITER, WAKER);
  const next: readonly [number, number, object?] =
    second === null
      ? [0, 0]
      : [second.tid, second.priority, { rank: second.rank, outPriority: second.priority, ...leaves }];
  trace.contextSwitch(READY_TS + 1, 1, [WAKER, WAITING, 6], next);
  const out: readonly [number, number, number] = puts_aside
    ? [first.tid, READY, 32]
    : [first.tid, WAITING, 6];
  if (after === null) return trace.fact(500 * MS, 'etw.end').finish();
  return trace
    .contextSwitch(SWITCH_IN_TS, 0, out, [WAITER, 14, { rank: after, outPriority: 14, ...leaves }])
    .contextSwitch(SWITCH_IN_TS + 20 * MS, 0, [WAITER, WAITING, 6], [0, 0])
    .fact(500 * MS, 'etw.end')
    .finish();
}

async function rankOf(story: Story) {
  const processor = await processorWith(play(story));
  const wait = rowsOf(
    processor,
    `SELECT w.rank, w.rank_source, w.rank_before, w.rank_after
     FROM etw_ready_wait AS w JOIN etw_thread USING (utid) WHERE tid = ${WAITER}`,
  );
  const evidence = rowsOf(
    processor,
    'SELECT rank, before_explains_ns / 1e6 AS before_ms, after_explains_ns / 1e6 AS after_ms, put_aside_better FROM etw_ready_wait_rank',
  );
  return { wait: wait[0], evidence: evidence[0] };
}

const low = { tid: 40, rank: 0, priority: 4 };
const otherLow = { tid: 41, rank: 0, priority: 4 };
const high = { tid: 42, rank: 0, priority: 15 };
const otherHigh = { tid: 43, rank: 0, priority: 15 };

describe('the rank that a thread waited at', () => {
  test('is recorded where both neighbours have it', async () => {
    expect(await rankOf({ before: 2, after: 2, cpus: [low, otherLow] })).toEqual({
      wait: { rank: 2, rank_source: 'recorded', rank_before: 2, rank_after: 2 },
      evidence: undefined,
    });
  });

  test('is that from before, if it got better in the run after the wait', async () => {
    expect(await rankOf({ before: 2, after: 0, cpus: [low, otherLow] })).toEqual({
      wait: { rank: 2, rank_source: 'judged', rank_before: 2, rank_after: 0 },
      evidence: { rank: 2, before_ms: 200, after_ms: 0, put_aside_better: 0 },
    });
  });

  test('is that from before, if it got worse in the run after a wait for higher priorities', async () => {
    expect(await rankOf({ before: 0, after: 2, cpus: [high, otherHigh] })).toEqual({
      wait: { rank: 0, rank_source: 'judged', rank_before: 0, rank_after: 2 },
      evidence: { rank: 0, before_ms: 200, after_ms: 200, put_aside_better: 0 },
    });
  });

  test('is that from after, if it got worse before the wait, which lower priorities prove', async () => {
    expect(await rankOf({ before: 0, after: 2, cpus: [low, otherLow] })).toEqual({
      wait: { rank: 2, rank_source: 'judged', rank_before: 0, rank_after: 2 },
      evidence: { rank: 2, before_ms: 0, after_ms: 200, put_aside_better: 0 },
    });
  });

  test('is that from after, if it got better before the wait, which put a better rank aside', async () => {
    expect(await rankOf({ before: 2, after: 0, cpus: [low, null], puts_aside: true })).toEqual({
      wait: { rank: 0, rank_source: 'judged', rank_before: 2, rank_after: 0 },
      evidence: { rank: 0, before_ms: 0.000001, after_ms: 0, put_aside_better: 1 },
    });
  });

  test('is that from before among equal priorities, which wait for each other at either rank', async () => {
    const equal = { tid: 44, rank: 0, priority: 14 };
    expect(await rankOf({ before: 2, after: 0, cpus: [equal, otherHigh] })).toEqual({
      wait: { rank: 2, rank_source: 'judged', rank_before: 2, rank_after: 0 },
      evidence: { rank: 2, before_ms: 200, after_ms: 200, put_aside_better: 0 },
    });
  });

  test('depends on the CPUs that the thread may use, not on others', async () => {
    expect(await rankOf({ before: 0, after: 2, cpus: [high, otherLow], affinity: 1 })).toEqual({
      wait: { rank: 0, rank_source: 'judged', rank_before: 0, rank_after: 2 },
      evidence: { rank: 0, before_ms: 200, after_ms: 200, put_aside_better: 0 },
    });
  });

  test('is that from after in the first wait of a thread', async () => {
    expect(await rankOf({ before: null, after: 2, cpus: [low, otherLow] })).toEqual({
      wait: { rank: 2, rank_source: 'after', rank_before: null, rank_after: 2 },
      evidence: undefined,
    });
  });

  test('is that from before in a wait that does not end', async () => {
    expect(await rankOf({ before: 2, after: null, cpus: [low, otherLow] })).toEqual({
      wait: { rank: 2, rank_source: 'before', rank_before: 2, rank_after: null },
      evidence: undefined,
    });
  });
});

test('a run has the rank of its end, and that of the run before', async () => {
  const processor = await processorWith(play({ before: 2, after: 0, cpus: [low, otherLow] }));
  expect(
    rowsOf(
      processor,
      `SELECT r.ts / 1000000 AS ts_ms, r.rank, r.rank_before
       FROM etw_run AS r JOIN etw_thread USING (utid) WHERE tid = ${WAITER} ORDER BY ts`,
    ),
  ).toEqual([
    { ts_ms: 10, rank: 2, rank_before: null },
    { ts_ms: 300, rank: 0, rank_before: 2 },
  ]);
});
