import { NOT_THERE, standingNumber } from '../standing.ts';
import type { WaitColumns } from './wait-columns.ts';

/** More than there are ranks or priorities: several of them are one number. */
const MOST = 2 ** 16;

/** Waits by rank and priority: few differ in these, so that a run stands to all of them by a short list. */
export class WaitKinds {
  /** The kind of each wait. */
  readonly of: Uint32Array;
  readonly #ranks: number[] = [];
  readonly #priorities: number[] = [];
  readonly #standings = new Map<number, Uint8Array>();

  constructor({ count, rank, priority }: WaitColumns) {
    this.of = new Uint32Array(count);
    const kinds = new Map<number, number>();
    for (let wait = 0; wait < count; wait++) {
      const atRank = rank[wait] ?? NOT_THERE;
      const atPriority = priority[wait] ?? NOT_THERE;
      const key = (atRank + 1) * MOST + atPriority;
      let kind = kinds.get(key);
      if (kind === undefined) {
        kind = this.#ranks.push(atRank) - 1;
        this.#priorities.push(atPriority);
        kinds.set(key, kind);
      }
      this.of[wait] = kind;
    }
  }

  /** How a run stands to the waits of each kind, as {@link standingNumber} says it. */
  standingsOf(utid: number, rank: number, priority: number): Uint8Array {
    const key = utid === 0 ? -1 : (rank + 1) * MOST + priority;
    const known = this.#standings.get(key);
    if (known !== undefined) return known;
    const standings = Uint8Array.from(this.#ranks, (waitRank, kind) =>
      standingNumber(utid, rank, priority, waitRank, this.#priorities[kind] ?? NOT_THERE),
    );
    this.#standings.set(key, standings);
    return standings;
  }
}
