import { filled } from '../../tables/index.ts';
import type { Span } from '../stretches.ts';

/** About so many waits begin in a step: to sort them by their begins takes longer. */
const WAITS_EACH = 64;
const NOTHING = new Uint32Array(0);

/** Waits by when they begin, in steps of time. */
export class BeginSteps {
  /** When the step begins that comes next, no later than any wait in it; infinite behind the last one. */
  next_ts: number;
  readonly #start_ts: number;
  readonly #step_ns: number;
  /** The waits by step. */
  readonly #waits: Uint32Array;
  /** By step, where its waits are among these; at last, how many there are. */
  readonly #firsts: Uint32Array;
  #step = 0;

  /** `begin_ts`: when each wait begins, within `span`. */
  constructor(begin_ts: Float64Array, span: Span) {
    this.next_ts = this.#start_ts = span.ts;
    const count = begin_ts.length;
    const steps_max = Math.ceil((count + 1) / WAITS_EACH);
    // By a power of two all steps begin at whole numbers.
    this.#step_ns = 2 ** Math.max(0, Math.ceil(Math.log2((span.te - span.ts + 1) / steps_max)));
    const stepOf = filled(
      new Uint32Array(count),
      (wait) => ((begin_ts[wait] ?? 0) - span.ts) / this.#step_ns,
    );
    const steps = Math.floor((span.te - span.ts) / this.#step_ns) + 1;
    this.#firsts = new Uint32Array(steps + 1);
    for (let wait = 0; wait < count; wait++) {
      const next = (stepOf[wait] ?? 0) + 1;
      this.#firsts[next] = (this.#firsts[next] ?? 0) + 1;
    }
    for (let step = 0; step < steps; step++)
      this.#firsts[step + 1] = (this.#firsts[step + 1] ?? 0) + (this.#firsts[step] ?? 0);
    this.#waits = new Uint32Array(count);
    const places = this.#firsts.slice();
    for (let wait = 0; wait < count; wait++) {
      const step = stepOf[wait] ?? 0;
      const place = places[step] ?? 0;
      places[step] = place + 1;
      this.#waits[place] = wait;
    }
  }

  /** The waits of the step that comes next, by their numbers. Then the one behind it comes next. */
  take(): Uint32Array {
    if (this.next_ts === Infinity) return NOTHING;
    const waits = this.#waits.subarray(this.#firsts[this.#step], this.#firsts[this.#step + 1]);
    this.#step++;
    this.next_ts =
      this.#step + 1 < this.#firsts.length ? this.#start_ts + this.#step * this.#step_ns : Infinity;
    return waits;
  }
}
