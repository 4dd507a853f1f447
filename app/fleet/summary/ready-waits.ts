import type { Things } from '../../../shared/compare/things.ts';
import type { Query } from '../../../shared/engine/index.ts';
import { dataOf, grown, numberAt, textAt, type TraceData } from '../../../shared/tables/index.ts';
import {
  estimateWhyNumbers,
  loadJudgedRanks,
  mainWhyOf,
  WAIT_COLUMNS,
  WaitColumns,
} from '../../../shared/why-late/columns/index.ts';
import { WHYS } from '../../../shared/why-late/index.ts';
import type { LakeRow } from '../tables.ts';
import { Chains, type ChainSums } from './chains.ts';
import { processName, threadName } from './names.ts';
import { classBelow, classFrom, WAIT_CLASSES, waitClass } from './wait-class.ts';

const COLUMNS = [...WAIT_COLUMNS, 'ended', 'cause', 'waker_utid', 'rank'] as const;

/** So many waits are explained at a time: some 10 MB. */
const WAITS_AT_ONCE = 65_536;

/** What is summed up of ready waits: their lengths, and who woke whom. */
export interface ReadySummary extends ChainSums {
  readonly waits: readonly LakeRow<'ready_wait'>[];
}

/** Sums all ready waits of a trace in one pass, a batch at a time. `tids` are the ids of threads by key. */
export async function summariseReadyWaits(
  query: Query,
  things: Things,
  tids: ReadonlyMap<number, number>,
): Promise<ReadySummary> {
  const data = dataOf(query);
  const judged = await loadJudgedRanks(query);
  const groups = new WaitGroups(things);
  const chains = new Chains(things);
  const [near, far] = [new Asked(data, groups), new Asked(data, groups)];
  let number = 0;
  for await (const { rowCount, columns } of data.tables.batches(
    'etw_ready_wait',
    COLUMNS,
    undefined,
    'once',
  )) {
    const { ts, te, utid, ended, cause, waker_utid, rank } = columns;
    // Waits stand in the order of their ends. Those that reach far back are explained together, since all that ran since then is read.
    const span = (te.values[rowCount - 1] ?? 0) - (te.values[0] ?? 0);
    for (let row = 0; row < rowCount; row++) {
      const [from, to, of] = [ts.values[row] ?? 0, te.values[row] ?? 0, utid.values[row] ?? 0];
      const asked = to - from <= span ? near : far;
      if (asked.isFull) await asked.answer();
      const known = judged.of(of, from)?.rank ?? numberAt(rank, row);
      asked.waits.addRow(columns, row, known);
      asked.note(number++, ended.values[row] === 1);
      if (textAt(cause, row) === 'wake') chains.add(from, to, of, numberAt(waker_utid, row));
    }
    await near.answer();
  }
  await far.answer();
  return { waits: groups.rows(tids), ...chains.sums(tids) };
}

/** Waits whose reasons are asked for together. */
class Asked {
  readonly #data: TraceData;
  readonly #groups: WaitGroups;
  /** The number of each among all waits of the trace. */
  readonly #numbers = new Float64Array(WAITS_AT_ONCE);
  readonly #ended = new Uint8Array(WAITS_AT_ONCE);
  readonly waits = new WaitColumns(WAITS_AT_ONCE);

  constructor(data: TraceData, groups: WaitGroups) {
    this.#data = data;
    this.#groups = groups;
  }

  get isFull(): boolean {
    return this.waits.count === WAITS_AT_ONCE;
  }

  /** Says of the wait that was added last which it is, and whether it was seen to end. */
  note(number: number, ended: boolean): void {
    this.#numbers[this.waits.count - 1] = number;
    this.#ended[this.waits.count - 1] = ended ? 1 : 0;
  }

  /** Explains the waits, and adds them to the groups. */
  async answer(): Promise<void> {
    const { waits } = this;
    if (waits.count === 0) return;
    const whys = await estimateWhyNumbers(this.#data, waits);
    for (let at = 0; at < waits.count; at++)
      this.#groups.add(waits, at, whys[at] ?? 0, this.#ended[at] ?? 0, this.#numbers[at] ?? 0);
    waits.count = 0;
  }
}

/** Waits of one thread class, cause and class of length, summed up in columns. */
class WaitGroups {
  readonly #things: Things;
  readonly #groups = new Map<number, number>();
  #waits = new Uint32Array(1 << 10);
  #ready_ns = new Float64Array(1 << 10);
  /** The wait that came first, and of the longest the first, by their numbers. */
  #first = new Float64Array(1 << 10);
  #longest = new Float64Array(1 << 10);
  #longest_ns = new Float64Array(1 << 10);
  #longest_ts = new Float64Array(1 << 10);
  #longest_utid = new Uint32Array(1 << 10);

  constructor(things: Things) {
    this.#things = things;
  }

  /** Adds a wait, `number` among all waits of the trace; they may come in any order. */
  add({ ts, te, utid }: WaitColumns, at: number, why: number, ended: number, number: number): void {
    const [from, of] = [ts[at] ?? 0, utid[at] ?? 0];
    const ns = (te[at] ?? 0) - from;
    const thread = this.#things.threadOf(of);
    const key = ((thread * WHYS.length + why) * WAIT_CLASSES + waitClass(ns)) * 2 + ended;
    const group = this.#groups.get(key) ?? this.#begin(key, number);
    this.#waits[group] = (this.#waits[group] ?? 0) + 1;
    this.#ready_ns[group] = (this.#ready_ns[group] ?? 0) + ns;
    if (number < (this.#first[group] ?? 0)) this.#first[group] = number;
    const longest_ns = this.#longest_ns[group] ?? 0;
    if (ns < longest_ns || (ns === longest_ns && number >= (this.#longest[group] ?? 0))) return;
    this.#longest[group] = number;
    this.#longest_ns[group] = ns;
    this.#longest_ts[group] = from;
    this.#longest_utid[group] = of;
  }

  #begin(key: number, number: number): number {
    const group = this.#groups.size;
    this.#groups.set(key, group);
    if (group === this.#waits.length) this.#grow(2 * group);
    this.#first[group] = number;
    this.#longest[group] = Infinity;
    return group;
  }

  #grow(length: number): void {
    this.#waits = grown(this.#waits, new Uint32Array(length));
    this.#ready_ns = grown(this.#ready_ns, new Float64Array(length));
    this.#first = grown(this.#first, new Float64Array(length));
    this.#longest = grown(this.#longest, new Float64Array(length));
    this.#longest_ns = grown(this.#longest_ns, new Float64Array(length));
    this.#longest_ts = grown(this.#longest_ts, new Float64Array(length));
    this.#longest_utid = grown(this.#longest_utid, new Uint32Array(length));
  }

  /** The groups in the order of the waits that came first in them. */
  rows(tids: ReadonlyMap<number, number>): readonly LakeRow<'ready_wait'>[] {
    const byFirst = [...this.#groups].sort(([, a], [, b]) => (this.#first[a] ?? 0) - (this.#first[b] ?? 0));
    return byFirst.map(([key, group]) => {
      const of = (key >> 1) % WAIT_CLASSES;
      const threadAndWhy = Math.floor(key / (2 * WAIT_CLASSES));
      const thread = Math.floor(threadAndWhy / WHYS.length);
      return {
        process: processName(this.#things, thread),
        thread: threadName(this.#things, thread),
        cause: mainWhyOf(threadAndWhy % WHYS.length),
        ended: key % 2 === 1,
        class: of,
        from_ns: classFrom(of),
        below_ns: classBelow(of),
        waits: this.#waits[group] ?? 0,
        ready_ns: this.#ready_ns[group] ?? 0,
        longest_ns: this.#longest_ns[group] ?? 0,
        longest_ts: this.#longest_ts[group] ?? 0,
        longest_tid: tids.get(this.#longest_utid[group] ?? 0) ?? null,
      };
    });
  }
}
