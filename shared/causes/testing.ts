/** Small traces of threads that wake one another. */
import type { Query } from '../engine/index.ts';
import { queryOf } from '../engine/testing/start.ts';
import { TraceWriter, type RunSample } from '../engine/testing/trace-writer.ts';
import { partition } from './partition.ts';

/** When traces start, in ns. */
export const START = 1000;
/** States and wait reasons, by Windows' numbers. */
export const TERMINATED = 4;
export const WAITING = 5;
export const DELAY_EXECUTION = 4;
export const SUSPENDED = 5;
export const USER_REQUEST = 6;
export const WR_QUEUE = 15;

/** What threads do, each on a CPU of its own: thread 1 on CPU 1. Times in µs from the start; no two switch-ins at one time. */
export class Story {
  readonly #events: { readonly ts: number; readonly write: (trace: TraceWriter, ts: number) => unknown }[] =
    [];
  readonly #threads: number;
  readonly #end: number;

  constructor(threads: number, end: number) {
    this.#threads = threads;
    this.#end = end;
  }

  at(us: number, write: (trace: TraceWriter, ts: number) => unknown): this {
    this.#events.push({ ts: START + us * 1000, write });
    return this;
  }

  /** A thread runs until it blocks. */
  runs(tid: number, from: number, to: number, waitReason = USER_REQUEST, state = WAITING): this {
    const sample: RunSample = { rank: 0, outPriority: 8, waitReason, state };
    return this.at(from, (trace, ts) => trace.contextSwitch(ts, tid, [0, 2, 0], [tid, 8, sample])).at(
      to,
      (trace, ts) => trace.contextSwitch(ts, tid, [tid, state, waitReason], [0, 0]),
    );
  }

  /** A thread wakes another one; thread 0 is a DPC. */
  wakes(at: number, waker: number, tid: number): this {
    return this.at(at, (trace, ts) => trace.readyThread(ts, waker, tid, waker));
  }

  /** Names the routine of the interrupts of a number: that of an image. */
  source(number: number, kind: 'dpc' | 'timer_dpc', module: string): this {
    const routine = 0x5010 + number;
    return this.at(1, (trace, ts) =>
      trace.fact(ts, 'etw.interrupt_source', { source: number, kind, routine, module }),
    );
  }

  /** Where the time of a thread from `from` to `to` went: owner and thread, with µs. */
  async parts(tid: number, from: number, to: number): Promise<readonly string[]> {
    const query = await this.query();
    const utids = await utidsOf(query);
    const tids = new Map([...utids].map(([own, utid]) => [utid, own]));
    const delay = { utid: utids.get(tid) ?? -1, ts: START + from * 1000, te: START + to * 1000 };
    const { parts } = await partition(query, delay);
    const us = (ts: number) => (ts - START) / 1000;
    return parts.map(({ utid, ts, te, owner, detail }) =>
      [`${us(ts)}-${us(te)}`, tids.get(utid), owner, ...(detail === null ? [] : [`(${detail})`])].join(' '),
    );
  }

  /** Asks the trace. */
  async query(): Promise<Query> {
    const end = START + this.#end * 1000;
    const cpu_count = this.#threads + 1;
    const trace = new TraceWriter().start(START, START);
    trace.fact(START, 'etw.trace', { schema: 1, cpu_count, end_ts: end, clock_hz: 10_000_000 });
    trace.process(START, 'app.exe', '', { pid: 4 });
    for (let tid = 1; tid <= this.#threads; tid++) trace.thread(START, null, { tid, pid: 4 });
    this.#events.sort((a, b) => a.ts - b.ts);
    for (const { ts, write } of this.#events) write(trace, ts);
    return queryOf(trace.fact(end, 'etw.end'));
  }
}

/** The keys of threads by their ids. */
export async function utidsOf(query: Query): Promise<ReadonlyMap<number, number>> {
  const rows = await query('SELECT utid, tid FROM thread');
  return new Map([...rows.rows()].map(({ utid, tid }) => [Number(tid), Number(utid)]));
}

/** Seconds of threads that take turns: each blocks a while, for work or not, until a thread or a timer wakes it; `byItself`: or it itself. */
export function turns(threads: number, byItself = true): Story {
  const story = new Story(threads, 20_000_000);
  // Numbers that look like chance and are the same each time.
  let seed = 1;
  const upTo = (most: number) => (seed = (seed * 48271) % 2147483647) % most;
  for (let tid = 1; tid <= threads; tid++)
    for (let us = tid; us < 18_900_000;) {
      const out = us + 50_000 + upTo(400_000);
      const wake = out + 100_000 + upTo(500_000);
      const reason = [USER_REQUEST, WR_QUEUE, DELAY_EXECUTION][upTo(3)];
      const waker = upTo(threads + 1);
      story.runs(tid, us, out, reason).wakes(wake, waker === tid && !byItself ? 0 : waker, tid);
      us = wake + 10 + upTo(50_000);
    }
  return story;
}
