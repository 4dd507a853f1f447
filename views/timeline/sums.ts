import type { Query } from '../../shared/engine/index.ts';
import { dataOf, numberAt } from '../../shared/tables/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { ViewColumn, ViewTable } from '../../shared/view/index.ts';
import type { Base } from './base.ts';
import { THREAD_CLASSES } from './classes.ts';
import type { Question } from './questions.ts';

const text = (name: string, title: string, help: string): ViewColumn => ({ name, title, help, kind: 'text' });
const duration = (name: string, title: string, help: string): ViewColumn => ({
  ...{ name, title, help },
  kind: 'duration_ns',
});

type RangeQuestion = Extract<Question, { kind: 'sums' | 'flame' }>;

/** What threads did within a range: by state and cause, by thread, and by who woke them; none of what was not recorded. */
export async function sumsOf(
  query: Query,
  base: Base,
  { start, end, tracks }: RangeQuestion,
): Promise<readonly ViewTable[]> {
  const utids = [...(threadsIn(base, tracks) ?? base.lanes.threads.keys())];
  const all = new Float64Array(THREAD_CLASSES.length);
  const threads = utids.map((utid) => {
    const lane = base.lanes.threads.get(utid)?.lane;
    const sums = lane === undefined ? null : base.ofThreads.of(lane).within(start, end);
    const of = { running: 0, ready: 0, blocked: 0 };
    sums?.forEach((ns, each) => {
      all[each] = (all[each] ?? 0) + ns;
      const state = THREAD_CLASSES[each]?.state;
      if (state === 'running' || state === 'ready' || state === 'blocked') of[state] += ns;
    });
    return { utid, ...of };
  });
  const alive_ns = all.reduce((sum, ns, of) => sum + (of === 0 ? 0 : ns), 0);
  const states = THREAD_CLASSES.flatMap(({ label }, of) => {
    const ns = all[of] ?? 0;
    return of === 0 || ns === 0 ? [] : [[label, ns, alive_ns === 0 ? 0 : ns / alive_ns]];
  });
  const tables: ViewTable[] = [
    {
      title: 'By state and cause',
      columns: [
        text(
          'state',
          'State',
          'What the threads did; of ready threads why they were late, where that was judged.',
        ),
        duration('ns', 'Time', 'How long, summed over the threads.'),
        { name: 'share', title: 'Share', help: 'Of the time that the threads were alive.', kind: 'share' },
      ],
      rows: states,
    },
    {
      title: 'By thread',
      columns: [
        text('thread', 'Thread', 'Its process, id and name.'),
        duration('ready_ns', 'Ready', 'How long it could have run and did not.'),
        duration('running_ns', 'Running', 'How long it ran.'),
        duration('blocked_ns', 'Blocked', 'How long it waited for something else than a CPU.'),
      ],
      rows: threads
        .filter(({ running, ready }) => running > 0 || ready > 0)
        .sort((a, b) => b.ready - a.ready || b.running - a.running)
        .map(({ utid, running, ready, blocked }) => [
          threadLabel(base.names.get(utid)),
          ready,
          running,
          blocked,
        ]),
    },
    await wakersOf(query, base, new Set(utids), start, end),
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

/** The threads of tracks; null, which stands for all threads, where CPUs alone are asked for, or nothing. */
export function threadsIn({ threadsOf }: Base, tracks: readonly string[]): ReadonlySet<number> | null {
  const found = new Set<number>();
  for (const key of tracks) {
    const number = Number(key.slice(1));
    if (key.startsWith('t')) found.add(number);
    if (key.startsWith('p')) for (const utid of threadsOf.get(number) ?? []) found.add(utid);
  }
  return found.size === 0 ? null : found;
}

async function wakersOf(
  query: Query,
  base: Base,
  utids: ReadonlySet<number>,
  start: number,
  end: number,
): Promise<ViewTable> {
  const found = new Map<number, { wakes: number; ready_ns: number }>();
  const names = ['ts', 'te', 'utid', 'waker_utid'] as const;
  for await (const batch of dataOf(query).tables.batches('etw_ready_wait', names, { start, end }, 'once')) {
    const { ts, te, utid, waker_utid } = batch.columns;
    for (let row = 0; row < batch.rowCount; row++) {
      const at = ts.values[row] ?? 0;
      const waker = numberAt(waker_utid, row);
      if (at < start || at >= end || waker === null || !utids.has(utid.values[row] ?? -1)) continue;
      const sums = found.get(waker) ?? { wakes: 0, ready_ns: 0 };
      found.set(waker, sums);
      sums.wakes++;
      sums.ready_ns += Math.min(te.values[row] ?? at, end) - at;
    }
  }
  return {
    title: 'By waker',
    columns: [
      text(
        'waker',
        'Woken by',
        'The thread that made others ready; of a wake by a DPC the one that ran meanwhile.',
      ),
      { name: 'wakes', title: 'Wakes', help: 'How often, within the range.', kind: 'count' },
      duration(
        'ready_ns',
        'Then ready',
        'How long the threads that it woke were ready thereafter, within the range.',
      ),
    ],
    rows: [...found]
      .sort(([, a], [, b]) => b.wakes - a.wakes)
      .map(([waker, { wakes, ready_ns }]) => [
        waker === 0 ? 'idle thread' : threadLabel(base.names.get(waker)),
        wakes,
        ready_ns,
      ]),
  };
}
