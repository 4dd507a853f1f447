import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** When the header event of a trace stands on the trace clock. */
export const START = 1_000_000_000;

/** A time of the truth on the trace clock. */
const Time = v.pipe(
  v.number(),
  v.transform((ns) => ns + START),
);
const Span = v.object({ start_ns: v.nullable(Time), end_ns: v.nullable(Time) });

const Truth = v.object({
  cpu_count: v.number(),
  events: v.number(),
  context_switches: v.number(),
  ticks_per_second: v.number(),
  ready_threads: v.number(),
  random: v.object({
    breaks_rules: v.boolean(),
    shares_ticks: v.boolean(),
    end_ns: Time,
    lost_buffers: v.number(),
    runs: v.array(
      v.object({
        cpu: v.number(),
        tid: v.number(),
        pid: v.nullable(v.number()),
        start_ns: Time,
        end_ns: v.nullable(Time),
        priority: v.number(),
        rank: v.nullable(v.number()),
        counted: v.nullable(v.tuple([v.number(), v.number()])),
        old_state: v.nullable(v.string()),
      }),
    ),
    runs_before: v.array(
      v.object({ tid: v.number(), pid: v.nullable(v.number()), end_ns: Time, rank: v.number() }),
    ),
    waits: v.array(
      v.object({
        tid: v.number(),
        pid: v.nullable(v.number()),
        ready_ns: Time,
        switch_in_ns: v.nullable(Time),
        cpu: v.nullable(v.number()),
        run: v.nullable(v.number()),
        preempted: v.boolean(),
        waker_tid: v.nullable(v.number()),
        waker_run: v.nullable(v.number()),
        in_dpc: v.boolean(),
        last_out_ns: v.nullable(Time),
        priority: v.nullable(v.number()),
        rank: v.nullable(v.number()),
        shares_ns: v.record(v.string(), v.number()),
        stretches: v.array(v.object({ why: v.string(), start_ns: Time, end_ns: Time })),
      }),
    ),
    processes: v.array(v.object({ pid: v.number(), image: v.string(), life: Span, freezes: v.array(Span) })),
    threads: v.array(
      v.object({ tid: v.number(), pid: v.nullable(v.number()), is_described: v.boolean(), life: Span }),
    ),
    interrupts: v.array(v.object({ cpu: v.number(), kind: v.string(), start_ns: Time, end_ns: Time })),
    sleeps: v.array(Span),
    places: v.array(v.object({ group: v.number(), number: v.number() })),
    tells_places: v.boolean(),
    ideal_cpus: v.array(
      v.object({ tid: v.number(), pid: v.nullable(v.number()), out_ns: Time, ideal_cpu: v.number() }),
    ),
  }),
});

/** What `outrank-synth random` says of its machine, times on the trace clock. */
export type RandomTruth = v.InferOutput<typeof Truth>['random'] & {
  readonly cpu_count: number;
  readonly context_switches: number;
  /** Length of a tick of its clock. */
  readonly tick_ns: number;
};
export type RunTruth = RandomTruth['runs'][number];
export type WaitTruth = RandomTruth['waits'][number];

export function readTruth(path: string): RandomTruth {
  const { random, cpu_count, context_switches, ticks_per_second } = v.parse(
    Truth,
    JSON.parse(readFileSync(path, 'utf8')),
  );
  return { ...random, cpu_count, context_switches, tick_ns: 1e9 / ticks_per_second };
}

/**
 * The truth with the processes of threads as far as the trace knows these: that of a thread which nothing describes is told by
 * events that it wrote, if it wrote any. `pids` has them by thread id.
 */
export function asTold(truth: RandomTruth, pids: ReadonlyMap<number, number | null>): RandomTruth {
  const hidden = new Map(
    truth.threads.filter(({ is_described }) => !is_described).map(({ tid }) => [tid, pids.get(tid) ?? null]),
  );
  const told = <Of extends { readonly tid: number; readonly pid: number | null }>(all: readonly Of[]) =>
    all.map((one) => ({ ...one, pid: hidden.has(one.tid) ? (hidden.get(one.tid) ?? null) : one.pid }));
  return {
    ...truth,
    runs: told(truth.runs),
    runs_before: told(truth.runs_before),
    waits: told(truth.waits),
    threads: told(truth.threads),
    ideal_cpus: told(truth.ideal_cpus),
  };
}

/** Sums by a key, without empty ones, by the key's order. */
export function sumBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  amountOf: (item: Item) => number,
): Record<string, number> {
  const sums = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item);
    sums.set(key, (sums.get(key) ?? 0) + amountOf(item));
  }
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}
