import { firstFrom, grown } from '../tables/index.ts';

/** The waiting that ended in one moment: from the end of its first wait on, before `ts + dur`. */
export interface MomentSum {
  readonly ts: number;
  readonly dur: number;
  readonly waited_sum_ns: number;
  readonly at_least: boolean;
}

/** The most waiting that ended in a moment within a step of time, which `ts` and `dur` say. */
export type StepPeak = MomentSum;

/** Moments in the order of time: of half a million, columns take a tenth of what objects take. */
export class MomentColumns {
  readonly #te: Float64Array;
  readonly #bucket_ns: number;
  #count = 0;
  /** The wait with whose end each begins. */
  #row = new Int32Array(1 << 10);
  /** 1 where a moment is cut short by the next one. */
  #isCut = new Uint8Array(1 << 10);
  #waited_sum_ns = new Float64Array(1 << 10);
  /** The moments with a wait that began before the trace. */
  readonly #at_least = new Set<number>();

  /** Has moments of waits that ended at `te`, rising. */
  constructor(te: Float64Array, bucket_ns: number) {
    [this.#te, this.#bucket_ns] = [te, bucket_ns];
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a moment that begins with the end of a wait. */
  add(row: number, isCut: boolean, waited_sum_ns: number): void {
    if (this.#count === this.#row.length) this.#grow();
    this.#row[this.#count] = row;
    this.#isCut[this.#count] = Number(isCut);
    this.#waited_sum_ns[this.#count] = waited_sum_ns;
    this.#count++;
  }

  /** Notes that a wait in one of the moments began before the trace. */
  noteAtLeast(row: number): void {
    this.#at_least.add(firstFrom(this.#row, 0, this.#count, row + 1) - 1);
  }

  at(moment: number): MomentSum {
    const ts = this.#tsOf(moment);
    return {
      ts,
      dur: this.#isCut[moment] === 1 ? this.#tsOf(moment + 1) - ts : this.#bucket_ns,
      waited_sum_ns: this.#waited_sum_ns[moment] ?? 0,
      at_least: this.#at_least.has(moment),
    };
  }

  /** The moments in which most waiting ended, most first. */
  greatest(max_rows: number): readonly MomentSum[] {
    // As many moments as are asked for are the greatest of others near them: what is less than these is not sorted.
    const near = Math.max(1, Math.floor(this.#count / (4 * max_rows)));
    const maxima = new Float64Array(Math.ceil(this.#count / near));
    for (let moment = 0; moment < this.#count; moment++) {
      const place = Math.floor(moment / near);
      maxima[place] = Math.max(maxima[place] ?? 0, this.#waited_sum_ns[moment] ?? 0);
    }
    const least_ns = maxima.sort()[Math.max(0, maxima.length - max_rows)] ?? 0;
    const found: MomentSum[] = [];
    for (let moment = 0; moment < this.#count; moment++)
      if ((this.#waited_sum_ns[moment] ?? 0) >= least_ns) found.push(this.at(moment));
    return found.sort((a, b) => b.waited_sum_ns - a.waited_sum_ns || a.ts - b.ts).slice(0, max_rows);
  }

  /** The most waiting that ended in one moment, for each step of time in which one begins. */
  peaks(step_ns: number, range_start: number): readonly StepPeak[] {
    const peaks: StepPeak[] = [];
    for (let moment = 0; moment < this.#count;) {
      const step = Math.trunc((this.#tsOf(moment) - range_start) / step_ns);
      const ts = range_start + step * step_ns;
      const until = firstFrom(this.#te, this.#row[moment] ?? 0, this.#te.length, ts + step_ns);
      let best = moment;
      for (moment++; moment < this.#count && (this.#row[moment] ?? 0) < until; moment++)
        if ((this.#waited_sum_ns[moment] ?? 0) > (this.#waited_sum_ns[best] ?? 0)) best = moment;
      peaks.push({ ...this.at(best), ts, dur: step_ns });
    }
    return peaks;
  }

  #tsOf(moment: number): number {
    return this.#te[this.#row[moment] ?? 0] ?? 0;
  }

  #grow(): void {
    const length = 2 * this.#row.length;
    this.#row = grown(this.#row, new Int32Array(length));
    this.#isCut = grown(this.#isCut, new Uint8Array(length));
    this.#waited_sum_ns = grown(this.#waited_sum_ns, new Float64Array(length));
  }
}
