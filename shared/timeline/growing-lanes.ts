import { grown, type NumberValues } from '../tables/index.ts';
import { FARTHEST_NS, Lane, NOTHING } from './lane.ts';
import { BLOCK_MASK, BLOCK_STEPS, pageOf, PAGE_MASK, PAGE_STEPS, StepPages } from './step-pages.ts';

/**
 * Lanes that grow at once, by number. Each goes on in a block of its own, and blocks follow one another as they are begun: a processor that
 * finds the memory of another lane for each step, or moves it as it grows, takes longer for that than for all else.
 */
export class GrowingLanes {
  readonly #pages: StepPages;
  readonly #offsets: readonly Uint32Array[];
  readonly #values: readonly (Uint16Array | Uint32Array)[];
  /** How many rows of places blocks have taken. */
  #rows = 0;
  /** Of each lane the place after its last step, the time of that, and when its last block begins. */
  #ends = new Int32Array(0);
  #lasts = new Float64Array(0);
  /** The value of the last step: to read it where the step is would wait for memory that is far away. */
  #lastValues = new Uint32Array(0);
  #begins = new Float64Array(0);
  #lengths = new Uint32Array(0);
  /** Of each block its lane, when it begins, and the place of its first step. */
  #blockCount = 0;
  #blockLanes = new Uint32Array(0);
  #bases = new Float64Array(0);
  #firsts = new Uint32Array(0);

  /** The time of a step that comes by itself. */
  readonly #time = new Float64Array(1);

  /** @param isWide as that of {@link Lane} */
  constructor(isWide = false) {
    this.#pages = new StepPages(isWide);
    [this.#offsets, this.#values] = [this.#pages.offsets, this.#pages.values];
  }

  /** How many steps a lane has. */
  lengthOf(lane: number): number {
    return this.#lengths[lane] ?? 0;
  }

  /** The time of the last step of a lane; -Infinity without any. */
  lastOf(lane: number): number {
    return this.#lasts[lane] ?? -Infinity;
  }

  /** Appends a step, as {@link Lane.append} does. */
  append(lane: number, at: number, value: number): void {
    this.#time[0] = at;
    this.appendAt(lane, this.#time, 0, value);
  }

  /** Appends a step at the time of a row: a fraction that is handed over by itself is put on the heap. */
  appendAt(lane: number, times: NumberValues, row: number, value: number): void {
    const at = times[row] ?? 0;
    if (lane >= this.#ends.length) this.#makeRoom(2 * lane + 64);
    const end = this.#ends[lane] ?? 0;
    if (at <= (this.#lasts[lane] ?? 0)) {
      this.replaceLast(lane, value);
      return;
    }
    if (value === this.#lastValues[lane]) return;
    const begin = this.#begins[lane] ?? 0;
    const isNew = (end & BLOCK_MASK) === 0 || at - begin > FARTHEST_NS;
    const place = isNew ? this.#startBlock(lane, at, end) : end;
    const values = this.#values[pageOf(place)];
    const offsets = this.#offsets[pageOf(place)];
    if (offsets === undefined || values === undefined) return;
    offsets[place & PAGE_MASK] = isNew ? 0 : at - begin;
    values[place & PAGE_MASK] = value;
    this.#ends[lane] = place + 1;
    this.#lasts[lane] = at;
    this.#lastValues[lane] = value;
    this.#lengths[lane] = (this.#lengths[lane] ?? 0) + 1;
  }

  /** Has `value` hold from the last step of a lane on. */
  replaceLast(lane: number, value: number): void {
    const place = (this.#ends[lane] ?? 0) - 1;
    const values = this.#values[pageOf(place)];
    if (place < 0 || values === undefined) return;
    values[place & PAGE_MASK] = value;
    this.#lastValues[lane] = value;
  }

  /** The lanes with all their steps, by number. They grow no more. */
  finish(): readonly Lane[] {
    /** Where the blocks of each lane begin in the order of lanes; as they are put in it, where the next one goes. */
    const nexts = new Uint32Array(this.#lengths.length + 1);
    for (let block = 0; block < this.#blockCount; block++) {
      const after = (this.#blockLanes[block] ?? 0) + 1;
      nexts[after] = (nexts[after] ?? 0) + 1;
    }
    for (let lane = 1; lane < nexts.length; lane++) nexts[lane] = (nexts[lane] ?? 0) + (nexts[lane - 1] ?? 0);
    const begins = nexts.slice();
    const bases = new Float64Array(this.#blockCount);
    const firsts = new Uint32Array(this.#blockCount);
    for (let block = 0; block < this.#blockCount; block++) {
      const lane = this.#blockLanes[block] ?? 0;
      const to = nexts[lane] ?? 0;
      bases[to] = this.#bases[block] ?? 0;
      firsts[to] = this.#firsts[block] ?? 0;
      nexts[lane] = to + 1;
    }
    return Array.from(this.#lengths, (length, lane) => {
      const [begin, end] = [begins[lane], begins[lane + 1]];
      return Lane.of(this.#pages, {
        bases: bases.subarray(begin, end),
        firsts: firsts.subarray(begin, end),
        length,
        end: this.#ends[lane] ?? 0,
        last: this.lastOf(lane),
      });
    });
  }

  /** Starts a block at a place, or in a row of its own where that is the first of one; answers the place of its first step. */
  #startBlock(lane: number, at: number, place: number): number {
    const block = this.#blockCount++;
    if (block === this.#blockLanes.length) this.#makeRoomForBlocks(2 * block + 64);
    const first = (place & BLOCK_MASK) === 0 ? this.#takeRow() : place;
    this.#blockLanes[block] = lane;
    this.#bases[block] = at;
    this.#firsts[block] = first;
    this.#begins[lane] = at;
    return first;
  }

  /** Takes the next row of places; answers the first one. */
  #takeRow(): number {
    const first = this.#rows++ * BLOCK_STEPS;
    if ((first & PAGE_MASK) === 0) this.#pages.resize(pageOf(first), PAGE_STEPS);
    return first;
  }

  #makeRoom(lanes: number): void {
    this.#ends = grown(this.#ends, new Int32Array(lanes));
    this.#lasts = grown(this.#lasts, new Float64Array(lanes).fill(-Infinity));
    this.#lastValues = grown(this.#lastValues, new Uint32Array(lanes).fill(NOTHING));
    this.#begins = grown(this.#begins, new Float64Array(lanes));
    this.#lengths = grown(this.#lengths, new Uint32Array(lanes));
  }

  #makeRoomForBlocks(blocks: number): void {
    this.#blockLanes = grown(this.#blockLanes, new Uint32Array(blocks));
    this.#bases = grown(this.#bases, new Float64Array(blocks));
    this.#firsts = grown(this.#firsts, new Uint32Array(blocks));
  }
}
