import { grown } from '../../tables/index.ts';

/** Events at times, the earliest first; of equal times that of the lower order. An event and its order are numbers of at most 53 bits. */
export class EventHeap {
  #times = new Float64Array(1 << 8);
  #orders = new Float64Array(1 << 8);
  #events = new Float64Array(1 << 8);
  #count = 0;

  /** When the first is; infinite if there is none. */
  get next_ts(): number {
    return this.#count === 0 ? Infinity : (this.#times[0] ?? Infinity);
  }

  /** The order of the first; infinite if there is none. */
  get next_order(): number {
    return this.#count === 0 ? Infinity : (this.#orders[0] ?? Infinity);
  }

  add(ts: number, order: number, event: number): void {
    if (this.#count === this.#times.length) this.#grow();
    this.#rise(this.#count++, ts, order, event);
  }

  /** Takes the first; NaN if there is none. */
  take(): number {
    if (this.#count === 0) return NaN;
    const first = this.#events[0] ?? NaN;
    const last = --this.#count;
    let place = 0;
    // The last one goes far down mostly: its place is looked for from below.
    for (let child = 1; child < last; child = 2 * place + 1) {
      const right = child + 1;
      if (right < last && this.#isBefore(this.#times[right] ?? 0, this.#orders[right] ?? 0, child))
        child = right;
      this.#move(child, place);
      place = child;
    }
    this.#rise(place, this.#times[last] ?? 0, this.#orders[last] ?? 0, this.#events[last] ?? NaN);
    return first;
  }

  /** Puts an event at a free place, or above where it is earlier. */
  #rise(free: number, ts: number, order: number, event: number): void {
    let place = free;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isBefore(ts, order, parent)) break;
      this.#move(parent, place);
      place = parent;
    }
    this.#put(place, ts, order, event);
  }

  #isBefore(ts: number, order: number, place: number): boolean {
    const other = this.#times[place] ?? 0;
    return ts < other || (ts === other && order < (this.#orders[place] ?? 0));
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#times[from] ?? 0, this.#orders[from] ?? 0, this.#events[from] ?? 0);
  }

  #put(place: number, ts: number, order: number, event: number): void {
    this.#times[place] = ts;
    this.#orders[place] = order;
    this.#events[place] = event;
  }

  #grow(): void {
    const larger = (of: Float64Array) => grown(of, new Float64Array(2 * of.length));
    this.#times = larger(this.#times);
    this.#orders = larger(this.#orders);
    this.#events = larger(this.#events);
  }
}
