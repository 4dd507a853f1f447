import { grown, type Batch, type Stretch, type Tables } from '../tables/index.ts';

const RUNS = ['ts', 'te', 'utid'] as const;
type Runs = Pick<Batch<(typeof RUNS)[number]>, 'rowCount' | 'columns'>;

const NO_TIMES: Float64Array = new Float64Array(0);

/** A range is cut into so many steps. */
const STEPS = 128;

/** The CPU time of threads in steps of a range. */
export class CpuTimes {
  readonly #range: Stretch;
  readonly #step_ns: number;
  /** By step and thread, in ns. */
  readonly #ran_ns: Float64Array[] = Array.from({ length: STEPS }, () => NO_TIMES);

  constructor(range: Stretch) {
    this.#range = range;
    this.#step_ns = Math.max(1, Math.ceil((range.end - range.start) / STEPS));
  }

  /** Adds what of runs lies in the range. */
  add({ rowCount, columns }: Runs): void {
    const [starts, ends, utids] = [columns.ts.values, columns.te.values, columns.utid.values];
    let [from, to] = [0, -Infinity];
    let ran_ns = NO_TIMES;
    for (let row = 0; row < rowCount; row++) {
      const ts = starts[row] ?? 0;
      const te = ends[row] ?? 0;
      const utid = utids[row] ?? 0;
      if (te > to) {
        const step = this.#stepUntil(te);
        from = this.#ts(step);
        to = Math.min(this.#ts(step + 1), this.#range.end);
        ran_ns = this.#ran_ns[step] ?? NO_TIMES;
      }
      // Most runs lie in one step.
      if (ts >= from && te <= to && utid < ran_ns.length) ran_ns[utid] = (ran_ns[utid] ?? 0) + te - ts;
      else {
        this.#addInSteps(utid, ts, te);
        // The step may have got more room.
        to = -Infinity;
      }
    }
  }

  /** The CPU time of each thread in a part of the range, in ns: by whole steps, and by the runs around these. */
  async within(tables: Tables, part: Stretch): Promise<Float64Array> {
    const { start } = this.#range;
    const first = Math.ceil((part.start - start) / this.#step_ns);
    const last = part.end === this.#range.end ? STEPS : Math.floor((part.end - start) / this.#step_ns);
    const edges = first < last ? this.#around(part, first, last) : [part];
    const steps = this.#ran_ns.slice(first, last);
    let ran_ns = new Float64Array(steps.reduce((most, { length }) => Math.max(most, length), 0));
    for (const step of steps) addTo(ran_ns, step);
    if (edges.length === 0) return ran_ns;
    for await (const { rowCount, columns } of tables.batches('etw_run', RUNS, edges)) {
      const [starts, ends, utids] = [columns.ts.values, columns.te.values, columns.utid.values];
      for (const { start, end } of edges)
        for (let row = 0; row < rowCount; row++) {
          const ts = starts[row] ?? 0;
          const te = ends[row] ?? 0;
          if (te <= start || ts >= end) continue;
          const utid = utids[row] ?? 0;
          if (utid >= ran_ns.length) ran_ns = grown(ran_ns, new Float64Array(2 * utid));
          ran_ns[utid] = (ran_ns[utid] ?? 0) + Math.min(te, end) - Math.max(ts, start);
        }
    }
    return ran_ns;
  }

  /** What of a part of the range lies before some steps, and after them. */
  #around({ start, end }: Stretch, first: number, last: number): readonly Stretch[] {
    const edges = [
      { start, end: this.#ts(first) },
      { start: this.#ts(last), end },
    ];
    return edges.filter((edge) => edge.start < edge.end);
  }

  #addInSteps(utid: number, ts: number, te: number): void {
    const until = Math.min(te, this.#range.end);
    let from = Math.max(ts, this.#range.start);
    while (from < until) {
      const step = Math.floor((from - this.#range.start) / this.#step_ns);
      const to = Math.min(this.#ts(step + 1), until);
      const ran_ns = this.#roomFor(utid, step);
      ran_ns[utid] = (ran_ns[utid] ?? 0) + to - from;
      from = to;
    }
  }

  #roomFor(utid: number, step: number): Float64Array {
    const before = this.#ran_ns[step] ?? NO_TIMES;
    if (utid < before.length) return before;
    const room = grown(before, new Float64Array(Math.max(1 << 8, 2 * utid)));
    this.#ran_ns[step] = room;
    return room;
  }

  /** When a step begins. */
  #ts(step: number): number {
    return this.#range.start + step * this.#step_ns;
  }

  /** The step that holds what goes before a time. */
  #stepUntil(ts: number): number {
    return Math.ceil((ts - this.#range.start) / this.#step_ns) - 1;
  }
}

/** Adds numbers to those at the same places. */
function addTo(sums: Float64Array, more: Float64Array): void {
  for (let at = 0; at < more.length; at++) sums[at] = (sums[at] ?? 0) + (more[at] ?? 0);
}
