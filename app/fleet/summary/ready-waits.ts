import { max, rollup } from 'd3';
import type { Things } from '../../../shared/compare/things.ts';
import { eachMainReason, type WaitRows } from '../../../shared/causes/index.ts';
import type { Query } from '../../../shared/engine/index.ts';
import { PairNumbers } from '../../../shared/tables/index.ts';
import { WHYS } from '../../../shared/why-late/index.ts';
import type { LakeRow } from '../tables.ts';
import { Chains, type ChainSums } from './chains.ts';
import { processName, threadName } from './names.ts';
import { classBelow, classFrom, WAIT_CLASSES, waitClass } from './wait-class.ts';
import { WaitSums } from './wait-sums.ts';

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
  readonly #sums = new WaitSums();

  constructor(things: Things) {
    this.#things = things;
  }

  /** Adds rows of waits, with the causes by row. */
  add(waits: WaitRows, rows: Uint32Array, whys: Uint8Array): void {
    const [starts, ends, utids] = [waits.column('ts'), waits.column('te'), waits.column('utid')];
    const ended = waits.column('ended');
    const groups = new Int32Array(rows.length);
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] ?? 0;
      const ts = starts[row] ?? 0;
      const te = ends[row] ?? 0;
      const utid = utids[row] ?? 0;
      const kind = ((whys[row] ?? 0) * WAIT_CLASSES + waitClass(te - ts)) * 2 + (ended[row] ?? 0);
      groups[at] = this.#groups.of(this.#things.threadOf(utid), kind);
    }
    this.#sums.add(waits, rows, groups, this.#groups.count);
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
      const { waits, ready_ns, longest_ns, longest_ts, longest_utid } = this.#sums.of(group);
      return {
        process: processName(this.#things, thread),
        thread: threadName(this.#things, thread),
        cause: WHYS[Math.floor(kind / (2 * WAIT_CLASSES))] ?? 'not_explained',
        ended: kind % 2 === 1,
        class: of,
        from_ns: classFrom(of),
        below_ns: classBelow(of),
        waits,
        ready_ns,
        longest_ns,
        longest_ts: hasLongest ? longest_ts : null,
        longest_tid: hasLongest ? (tids.get(longest_utid) ?? null) : null,
      };
    });
  }
}

function classOf(kind: number): number {
  return Math.floor(kind / 2) % WAIT_CLASSES;
}
