import { grown } from '../../tables/index.ts';

/** In place of a state while a CPU is in no interrupt. */
export const NOT_INTERRUPTED = -1;

/** Since when a CPU was in which state while it was in interrupts, and since when in none. */
export class Interruptions {
  ts = new Float64Array(16);
  state = new Int32Array(16);
  count = 0;

  /** From a time on the CPU is interrupted in a state, or in no interrupt. Times ascend. */
  add(ts: number, state: number): void {
    if (this.count > 0 && this.ts[this.count - 1] === ts) this.count--;
    const at = this.count++;
    if (at >= this.ts.length) {
      this.ts = grown(this.ts, new Float64Array(2 * at));
      this.state = grown(this.state, new Int32Array(2 * at));
    }
    this.ts[at] = ts;
    this.state[at] = state;
  }

  /** The last one that began before a time; -1 if none did. */
  before(ts: number): number {
    // Who asks is at the end of it.
    let at = this.count - 1;
    while (at >= 0 && (this.ts[at] ?? 0) >= ts) at--;
    return at;
  }
}
