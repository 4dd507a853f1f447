import { dataOf, numberAt } from '../../tables/index.ts';
import { spansOf, visitOverlaps } from '../../why-late/columns/index.ts';
import type { Measure, Recording } from './index.ts';
import { visitLongWaits } from './long-waits.ts';

/** The ready waits of a thread at ranks above 0. The longest wait is reported. */
interface Starved {
  readonly utid: number;
  lost_ns: number;
  waits: number;
  ts: number;
  dur: number;
  rank: number;
  rank_after: number;
  /** NaN where it is not known. */
  priority: number;
  /** CPU time of threads of a better rank and a lower priority within the longest. */
  outranked_ns: number;
}

/** One more than a rule lists, so that it is told where there are more. */
const MOST_THREADS = 51;
/** A wait of fewer steps of CPU time than this is measured by the runs themselves. */
const FEWEST_STEPS = 20;

/** Threads that were ready at ranks above 0 for at least the threshold, and what ran although its priority was lower. */
export const outranked: Measure = {
  columns: [
    ...['utid', 'ts', 'dur', 'rank', 'rank_after', 'priority'],
    ...['lost_ns', 'waits', 'outranked_ns'],
  ],
  async rows(recording, threshold) {
    const all = await starvedThreads(recording, threshold);
    const most = all.sort((a, b) => b.lost_ns - a.lost_ns).slice(0, MOST_THREADS);
    await addOutranked(recording, most);
    return most.map(({ utid, ts, dur, rank, rank_after, priority, lost_ns, waits, outranked_ns }) => [
      ...[utid, ts, dur, rank, rank_after, priority],
      ...[lost_ns, waits, outranked_ns],
    ]);
  },
};

async function starvedThreads(recording: Recording, at_least_ns: number): Promise<Starved[]> {
  const threads = new Map<number, Starved>();
  await visitLongWaits(recording, at_least_ns, ['rank_after', 'priority'], (wait, columns, row) => {
    const { ts, dur, utid, rank } = wait;
    if (rank <= 0) return;
    const thread = threads.get(utid) ?? none(utid);
    threads.set(utid, thread);
    thread.lost_ns += dur;
    thread.waits++;
    if (dur <= thread.dur) return;
    Object.assign(thread, {
      ...{ ts, dur, rank },
      rank_after: numberAt(columns.rank_after, row) ?? NaN,
      priority: numberAt(columns.priority, row) ?? NaN,
    });
  });
  return [...threads.values()];
}

function none(utid: number): Starved {
  const longest = { ts: 0, dur: -1, rank: NaN, rank_after: NaN, priority: NaN };
  return { utid, lost_ns: 0, waits: 0, ...longest, outranked_ns: 0 };
}

/** Of a long wait the steps of time within it count, which are summed already; of a short one all of it. */
async function addOutranked({ query }: Recording, starved: readonly Starved[]): Promise<void> {
  const { tables } = dataOf(query);
  const step_ns = await stepLength(recordedSteps(query));
  const [long, short] = [
    starved.filter(({ dur }) => dur >= FEWEST_STEPS * step_ns),
    starved.filter(({ dur }) => dur < FEWEST_STEPS * step_ns),
  ];
  const add = (wait: Starved | undefined, rank: number | null, priority: number, ran_ns: number) => {
    if (wait === undefined || rank === null || rank >= wait.rank || !(priority < wait.priority)) return;
    wait.outranked_ns += ran_ns;
  };
  if (long.length > 0) {
    for await (const { rowCount, columns } of recordedSteps(query)) {
      for (let row = 0; row < rowCount; row++) {
        if (columns.utid.values[row] === 0) continue;
        const ts = columns.ts.values[row] ?? 0;
        for (const wait of long) {
          if (ts < wait.ts || ts > wait.ts + wait.dur - step_ns) continue;
          const rank = numberAt(columns.rank, row);
          const priority = columns.priority.values[row] ?? NaN;
          add(wait, rank, priority, columns.ran_ns.values[row] ?? 0);
        }
      }
    }
  }
  const { spans, order } = spansOf(
    Float64Array.from(short, ({ ts }) => ts),
    (index) => (short[index]?.ts ?? 0) + (short[index]?.dur ?? 0),
  );
  await visitOverlaps(tables, 'etw_run', ['utid', 'rank', 'priority'], spans, (span, ts, te, row, run) => {
    if (run.utid.values[row] === 0) return;
    const wait = short[order[span] ?? -1];
    const from = Math.max(ts, spans.start[span] ?? 0);
    const to = Math.min(te, spans.end[span] ?? 0);
    add(wait, numberAt(run.rank, row), run.priority.values[row] ?? NaN, to - from);
  });
}

const STEP_COLUMNS = ['ts', 'dur', 'utid', 'rank', 'priority', 'ran_ns'] as const;

function recordedSteps(query: Recording['query']) {
  return dataOf(query).tables.batches('etw_cpu_time', STEP_COLUMNS);
}

/** How long the steps of CPU time are, in ns; 0 where there are none. */
async function stepLength(steps: ReturnType<typeof recordedSteps>): Promise<number> {
  for await (const { columns } of steps) return columns.dur.values[0] ?? 0;
  return 0;
}
