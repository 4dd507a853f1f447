import type { Things } from '../../../shared/compare/things.ts';
import { eachMainReason } from '../../../shared/causes/index.ts';
import type { Query } from '../../../shared/engine/index.ts';
import { grown } from '../../../shared/tables/index.ts';
import { WHYS } from '../../../shared/why-late/index.ts';
import type { LakeRow } from '../tables.ts';
import { Chains, type ChainSums } from './chains.ts';
import { processName, threadName } from './names.ts';
import { classBelow, classFrom, WAIT_CLASSES, waitClass } from './wait-class.ts';

/** What is summed up of ready waits: their lengths, and who woke whom. */
export interface ReadySummary extends ChainSums {
  readonly waits: readonly LakeRow<'ready_wait'>[];
}

/** Sums all ready waits of a trace, which has about so many runs. `tids` are the ids of threads by key. */
export async function summariseReadyWaits(
  query: Query,
  runCount: number,
  things: Things,
  tids: ReadonlyMap<number, number>,
): Promise<ReadySummary> {
  const groups = new WaitGroups(things);
  const chains = new Chains(things);
  let number = 0;
  await eachMainReason(query, runCount, (waits, row, why) => {
    const of = (name: 'ts' | 'te' | 'utid' | 'ended' | 'waker_utid') => waits.column(name)[row] ?? NaN;
    const wait = { ts: of('ts'), te: of('te'), utid: of('utid') };
    groups.add(wait, why, of('ended'), number++);
    const waker = of('waker_utid');
    if (waits.text('cause', row) === 'wake')
      chains.add(wait.ts, wait.te, wait.utid, Number.isNaN(waker) ? null : waker);
  });
  return { waits: groups.rows(tids), ...chains.sums(tids) };
}

/** Waits of one thread class, cause and class of length, summed up in columns. */
class WaitGroups {
  readonly #things: Things;
  readonly #groups = new Map<number, number>();
  #waits = new Uint32Array(1 << 10);
  #ready_ns = new Float64Array(1 << 10);
  /** Of the longest waits the first, by its number. */
  #longest = new Float64Array(1 << 10);
  #longest_ns = new Float64Array(1 << 10);
  #longest_ts = new Float64Array(1 << 10);
  #longest_utid = new Uint32Array(1 << 10);

  constructor(things: Things) {
    this.#things = things;
  }

  /** Adds a wait, `number` among all waits of the trace. */
  add(
    { ts, te, utid }: { ts: number; te: number; utid: number },
    why: number,
    ended: number,
    number: number,
  ): void {
    const ns = te - ts;
    const thread = this.#things.threadOf(utid);
    const key = ((thread * WHYS.length + why) * WAIT_CLASSES + waitClass(ns)) * 2 + ended;
    const group = this.#groups.get(key) ?? this.#begin(key);
    this.#waits[group] = (this.#waits[group] ?? 0) + 1;
    this.#ready_ns[group] = (this.#ready_ns[group] ?? 0) + ns;
    const longest_ns = this.#longest_ns[group] ?? 0;
    if (ns < longest_ns || (ns === longest_ns && number >= (this.#longest[group] ?? 0))) return;
    this.#longest[group] = number;
    this.#longest_ns[group] = ns;
    this.#longest_ts[group] = ts;
    this.#longest_utid[group] = utid;
  }

  #begin(key: number): number {
    const group = this.#groups.size;
    this.#groups.set(key, group);
    if (group === this.#waits.length) this.#grow(2 * group);
    this.#longest[group] = Infinity;
    return group;
  }

  #grow(length: number): void {
    this.#waits = grown(this.#waits, new Uint32Array(length));
    this.#ready_ns = grown(this.#ready_ns, new Float64Array(length));
    this.#longest = grown(this.#longest, new Float64Array(length));
    this.#longest_ns = grown(this.#longest_ns, new Float64Array(length));
    this.#longest_ts = grown(this.#longest_ts, new Float64Array(length));
    this.#longest_utid = grown(this.#longest_utid, new Uint32Array(length));
  }

  /** The groups; the place of the longest wait is told in one class of each thread class, cause and end. */
  rows(tids: ReadonlyMap<number, number>): readonly LakeRow<'ready_wait'>[] {
    const highest = new Map<number, number>();
    for (const key of this.#groups.keys()) {
      const all = allClasses(key);
      highest.set(all, Math.max(highest.get(all) ?? 0, classOf(key)));
    }
    return [...this.#groups].map(([key, group]) => {
      const of = classOf(key);
      const hasLongest = highest.get(allClasses(key)) === of;
      const threadAndWhy = Math.floor(key / (2 * WAIT_CLASSES));
      const thread = Math.floor(threadAndWhy / WHYS.length);
      return {
        process: processName(this.#things, thread),
        thread: threadName(this.#things, thread),
        cause: WHYS[threadAndWhy % WHYS.length] ?? 'not_explained',
        ended: key % 2 === 1,
        class: of,
        from_ns: classFrom(of),
        below_ns: classBelow(of),
        waits: this.#waits[group] ?? 0,
        ready_ns: this.#ready_ns[group] ?? 0,
        longest_ns: this.#longest_ns[group] ?? 0,
        longest_ts: hasLongest ? (this.#longest_ts[group] ?? 0) : null,
        longest_tid: hasLongest ? (tids.get(this.#longest_utid[group] ?? 0) ?? null) : null,
      };
    });
  }
}

function classOf(key: number): number {
  return Math.floor(key / 2) % WAIT_CLASSES;
}

/** A key that stands for all classes of length of a thread class, cause and end. */
function allClasses(key: number): number {
  return key - 2 * classOf(key);
}
