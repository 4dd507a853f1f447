import { grown } from '../../tables/index.ts';

/** In place of an event. */
const NONE = -1;
/** A power of two. */
const SLOTS = 1 << 14;

/**
 * Events at times, the earliest first; of equal times that which was added first. Time goes in ticks, and each slot of the wheel has the events
 * of its ticks: where about one event falls into a tick, to add and to take one costs the same with any number of them.
 */
export class EventWheel {
  readonly #ticksOfNs: number;
  readonly #slots = new Int32Array(SLOTS).fill(NONE);
  // By event.
  #times = new Float64Array(1 << 8);
  #orders = new Float64Array(1 << 8);
  #values = new Int32Array(1 << 8);
  /** The next event of its slot; of an event that was taken, the one that was taken before it. */
  #next = new Int32Array(1 << 8);
  #used = 0;
  #taken = NONE;
  #count = 0;
  /** The first event; `NONE` if there is none. */
  #first = NONE;
  #firstTick = 0;

  /** `tick_ns` is about how long it takes from one event to the next. */
  constructor(tick_ns: number) {
    this.#ticksOfNs = 1 / tick_ns;
  }

  /** When the first is; infinite if there is none. */
  get next_ts(): number {
    return this.#first === NONE ? Infinity : (this.#times[this.#first] ?? Infinity);
  }

  /** The order of the first; infinite if there is none. */
  get next_order(): number {
    return this.#first === NONE ? Infinity : (this.#orders[this.#first] ?? Infinity);
  }

  /** Adds an event, which is a whole number of 32 bits. Orders ascend. */
  add(ts: number, order: number, value: number): void {
    const event = this.#place();
    const tick = this.#tickOf(ts);
    const slot = tick & (SLOTS - 1);
    this.#times[event] = ts;
    this.#orders[event] = order;
    this.#values[event] = value;
    this.#next[event] = this.#slots[slot] ?? NONE;
    this.#slots[slot] = event;
    this.#count++;
    if (ts >= this.next_ts) return;
    this.#first = event;
    this.#firstTick = tick;
  }

  /** Takes the first; NaN if there is none. */
  take(): number {
    const event = this.#first;
    if (event === NONE) return NaN;
    this.#unlink(event);
    this.#next[event] = this.#taken;
    this.#taken = event;
    this.#count--;
    this.#first = this.#count === 0 ? NONE : this.#firstFrom(this.#firstTick);
    return this.#values[event] ?? NaN;
  }

  #tickOf(ts: number): number {
    return Math.floor(ts * this.#ticksOfNs);
  }

  #unlink(event: number): void {
    const slot = this.#firstTick & (SLOTS - 1);
    const after = this.#next[event] ?? NONE;
    let before = this.#slots[slot] ?? NONE;
    if (before === event) {
      this.#slots[slot] = after;
      return;
    }
    while (this.#next[before] !== event) before = this.#next[before] ?? NONE;
    this.#next[before] = after;
  }

  /** The first event, which is not before this tick. */
  #firstFrom(from: number): number {
    for (let tick = from; tick < from + SLOTS; tick++) {
      const found = this.#firstOf(tick & (SLOTS - 1), tick);
      if (found === NONE) continue;
      this.#firstTick = tick;
      return found;
    }
    // The wheel turned once: all that is left comes later.
    let least = Infinity;
    for (let slot = 0; slot < SLOTS; slot++)
      for (let event = this.#slots[slot] ?? NONE; event !== NONE; event = this.#next[event] ?? NONE)
        least = Math.min(least, this.#times[event] ?? Infinity);
    return this.#firstFrom(this.#tickOf(least));
  }

  /** The first event of a tick; `NONE` if there is none. */
  #firstOf(slot: number, tick: number): number {
    let first = NONE;
    for (let event = this.#slots[slot] ?? NONE; event !== NONE; event = this.#next[event] ?? NONE)
      if (this.#tickOf(this.#times[event] ?? 0) === tick && (first === NONE || this.#isBefore(event, first)))
        first = event;
    return first;
  }

  #isBefore(event: number, other: number): boolean {
    const ts = this.#times[event] ?? 0;
    const then = this.#times[other] ?? 0;
    return ts < then || (ts === then && (this.#orders[event] ?? 0) < (this.#orders[other] ?? 0));
  }

  /** Where an event has room. */
  #place(): number {
    const taken = this.#taken;
    if (taken !== NONE) {
      this.#taken = this.#next[taken] ?? NONE;
      return taken;
    }
    if (this.#used === this.#times.length) this.#grow();
    return this.#used++;
  }

  #grow(): void {
    const room = 2 * this.#used;
    this.#times = grown(this.#times, new Float64Array(room));
    this.#orders = grown(this.#orders, new Float64Array(room));
    this.#values = grown(this.#values, new Int32Array(room));
    this.#next = grown(this.#next, new Int32Array(room));
  }
}
