import { grown } from '../../../shared/tables/index.ts';

/** What is summed up of the waits of one number; all 0 where there are none. */
export interface WaitSum {
  readonly waits: number;
  readonly ready_ns: number;
  /** Of the longest wait, of several the first. */
  readonly longest_ns: number;
  readonly longest_ts: number;
  readonly longest_utid: number;
}

/** Sums of waits by number, in columns: there are millions of waits. */
export class WaitSums {
  #waits = new Uint32Array(1 << 10);
  #ready_ns = new Float64Array(1 << 10);
  #longest_ns = new Float64Array(1 << 10);
  #longest_ts = new Float64Array(1 << 10);
  #longest_utid = new Uint32Array(1 << 10);

  /** Adds a wait of a thread to those of a number. */
  add(number: number, ts: number, te: number, utid: number): void {
    if (number >= this.#waits.length) this.#grow(2 * number);
    const ns = te - ts;
    const before = this.#waits[number] ?? 0;
    this.#waits[number] = before + 1;
    this.#ready_ns[number] = (this.#ready_ns[number] ?? 0) + ns;
    if (before > 0 && ns <= (this.#longest_ns[number] ?? 0)) return;
    this.#longest_ns[number] = ns;
    this.#longest_ts[number] = ts;
    this.#longest_utid[number] = utid;
  }

  /** The sums of a number. */
  of(number: number): WaitSum {
    return {
      waits: this.#waits[number] ?? 0,
      ready_ns: this.#ready_ns[number] ?? 0,
      longest_ns: this.#longest_ns[number] ?? 0,
      longest_ts: this.#longest_ts[number] ?? 0,
      longest_utid: this.#longest_utid[number] ?? 0,
    };
  }

  #grow(length: number): void {
    this.#waits = grown(this.#waits, new Uint32Array(length));
    this.#ready_ns = grown(this.#ready_ns, new Float64Array(length));
    this.#longest_ns = grown(this.#longest_ns, new Float64Array(length));
    this.#longest_ts = grown(this.#longest_ts, new Float64Array(length));
    this.#longest_utid = grown(this.#longest_utid, new Uint32Array(length));
  }
}
