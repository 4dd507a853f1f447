import { grown } from '../tables/index.ts';
import { Lane, NOTHING } from './lane.ts';

/** So many steps of each lane are set aside before the lane takes them. */
const ASIDE = 16;

/**
 * Lanes that grow at once, by number. Their newest steps lie close together: a processor that finds the memory of another lane for each
 * step takes longer for that than for all else.
 */
export class GrowingLanes {
  readonly #lanes: (Lane | undefined)[] = [];
  #times = new Float64Array(0);
  #values = new Uint16Array(0);
  /** How many steps of each lane are set aside: none only before its first one. */
  #counts = new Uint8Array(0);
  /** How many steps each lane has in all. */
  #lengths = new Uint32Array(0);

  /** How many steps a lane has. */
  lengthOf(lane: number): number {
    return this.#lengths[lane] ?? 0;
  }

  /** The time of the last step of a lane; -Infinity without any. */
  lastOf(lane: number): number {
    const count = this.#counts[lane] ?? 0;
    return count === 0 ? -Infinity : (this.#times[lane * ASIDE + count - 1] ?? -Infinity);
  }

  /** Appends a step, as {@link Lane.append} does. */
  append(lane: number, at: number, value: number): void {
    const count = this.#counts[lane] ?? 0;
    if (count === 0) {
      if (value !== NOTHING) this.#begin(lane, at, value);
      return;
    }
    const newest = lane * ASIDE + count - 1;
    if (at <= (this.#times[newest] ?? 0)) this.#values[newest] = value;
    else if (value !== this.#values[newest]) {
      const place = count === ASIDE ? this.#handOver(lane) : newest + 1;
      this.#times[place] = at;
      this.#values[place] = value;
      this.#counts[lane] = place - lane * ASIDE + 1;
      this.#lengths[lane] = (this.#lengths[lane] ?? 0) + 1;
    }
  }

  /** Has `value` hold from the last step of a lane on. */
  replaceLast(lane: number, value: number): void {
    const count = this.#counts[lane] ?? 0;
    if (count > 0) this.#values[lane * ASIDE + count - 1] = value;
  }

  /** A lane with all its steps, which grows no more here. */
  finish(lane: number): Lane {
    this.#handOver(lane);
    return this.#lanes[lane] ?? new Lane();
  }

  #begin(lane: number, at: number, value: number): void {
    if (lane >= this.#counts.length) this.#makeRoom(2 * lane + 64);
    this.#lanes[lane] = new Lane();
    this.#times[lane * ASIDE] = at;
    this.#values[lane * ASIDE] = value;
    this.#counts[lane] = 1;
    this.#lengths[lane] = 1;
  }

  #makeRoom(lanes: number): void {
    this.#times = grown(this.#times, new Float64Array(lanes * ASIDE));
    this.#values = grown(this.#values, new Uint16Array(lanes * ASIDE));
    this.#counts = grown(this.#counts, new Uint8Array(lanes));
    this.#lengths = grown(this.#lengths, new Uint32Array(lanes));
  }

  /** Gives a lane what was set aside; answers the place of the next step. */
  #handOver(lane: number): number {
    const first = lane * ASIDE;
    this.#lanes[lane]?.appendAll(this.#times, this.#values, first, first + (this.#counts[lane] ?? 0));
    this.#counts[lane] = 0;
    return first;
  }
}
