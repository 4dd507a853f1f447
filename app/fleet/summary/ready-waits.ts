import { max, rollup } from 'd3';
import type { Things } from '../../../shared/compare/things.ts';
import { eachMainReason, type WaitRows } from '../../../shared/causes/index.ts';
import type { Query } from '../../../shared/engine/index.ts';
import { grown, PairNumbers } from '../../../shared/tables/index.ts';
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
  await eachMainReason(query, runCount, (waits, rows, whys) => {
    groups.add(waits, rows, whys);
    chains.add(waits, rows);
  });
  return { waits: groups.rows(tids), ...chains.sums(tids) };
}

/** Waits of one thread class, cause and class of length, summed up in columns. */
class WaitGroups {
  readonly #things: Things;
  /** Thread classes, with cause, class of length and whether the waits ended as one number. */
  readonly #groups = new PairNumbers();
  #waits = new Uint32Array(1 << 10);
  #ready_ns = new Float64Array(1 << 10);
  /** Of the longest waits the first. */
  #longest_ns = new Float64Array(1 << 10);
  #longest_ts = new Float64Array(1 << 10);
  #longest_utid = new Uint32Array(1 << 10);

  constructor(things: Things) {
    this.#things = things;
  }

  /** Adds rows of waits, with the causes by row. */
  add(waits: WaitRows, rows: Uint32Array, whys: Uint8Array): void {
    const [starts, ends, utids] = [waits.column('ts'), waits.column('te'), waits.column('utid')];
    const ended = waits.column('ended');
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] ?? 0;
      const ts = starts[row] ?? 0;
      const ns = (ends[row] ?? 0) - ts;
      const utid = utids[row] ?? 0;
      const kind = ((whys[row] ?? 0) * WAIT_CLASSES + waitClass(ns)) * 2 + (ended[row] ?? 0);
      const group = this.#groups.of(this.#things.threadOf(utid), kind);
      if (group >= this.#waits.length) this.#grow(2 * group);
      const before = this.#waits[group] ?? 0;
      this.#waits[group] = before + 1;
      this.#ready_ns[group] = (this.#ready_ns[group] ?? 0) + ns;
      if (before > 0 && ns <= (this.#longest_ns[group] ?? 0)) continue;
      this.#longest_ns[group] = ns;
      this.#longest_ts[group] = ts;
      this.#longest_utid[group] = utid;
    }
  }

  #grow(length: number): void {
    this.#waits = grown(this.#waits, new Uint32Array(length));
    this.#ready_ns = grown(this.#ready_ns, new Float64Array(length));
    this.#longest_ns = grown(this.#longest_ns, new Float64Array(length));
    this.#longest_ts = grown(this.#longest_ts, new Float64Array(length));
    this.#longest_utid = grown(this.#longest_utid, new Uint32Array(length));
  }

  /** The groups; the place of the longest wait is told in one class of each thread class, cause and end. */
  rows(tids: ReadonlyMap<number, number>): readonly LakeRow<'ready_wait'>[] {
    const groups = Array.from({ length: this.#groups.count }, (_, group) => {
      const kind = this.#groups.second(group);
      const all = `${this.#groups.first(group)} ${kind - 2 * classOf(kind)}`;
      return { group, kind, thread: this.#groups.first(group), all };
    });
    const highest = rollup(
      groups,
      (own) => max(own, ({ kind }) => classOf(kind)),
      ({ all }) => all,
    );
    return groups.map(({ group, kind, thread, all }) => {
      const of = classOf(kind);
      const hasLongest = highest.get(all) === of;
      return {
        process: processName(this.#things, thread),
        thread: threadName(this.#things, thread),
        cause: WHYS[Math.floor(kind / (2 * WAIT_CLASSES))] ?? 'not_explained',
        ended: kind % 2 === 1,
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

function classOf(kind: number): number {
  return Math.floor(kind / 2) % WAIT_CLASSES;
}
