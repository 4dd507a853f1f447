import { dataOf, grown, type Batch } from '../../tables/index.ts';
import type { Measure } from './index.ts';

const SECOND_NS = 1e9;

/** So many numbers are kept of a thread's second: they lie together, since which thread is next is not known beforehand. */
const FIELDS = 8;
/** The number of the second, what the thread did in it, on how many CPUs, and the CPU on which it ran last. */
const [NUMBER, MOVES, RUNS, RAN_NS, CPUS, CPU] = [0, 1, 2, 3, 4, 5];

/** Of each thread the second of the recording in which it changed its CPU most often. */
export const migrated: Measure = {
  columns: ['utid', 'ts', 'dur', 'moves', 'runs', 'ran_ns', 'cpus'],
  async rows({ query, whole }) {
    const threads = new Threads();
    const columns = ['ts', 'te', 'cpu', 'utid'] as const;
    for await (const batch of dataOf(query).tables.batches('etw_run', columns))
      threads.add(batch, whole.start);
    return threads
      .most()
      .map(([utid = 0, number = 0, ...rest]) => {
        const start = whole.start + number * SECOND_NS;
        return [utid, start, Math.min(SECOND_NS, whole.end - start), ...rest];
      })
      .sort((a, b) => (b[3] ?? 0) - (a[3] ?? 0));
  },
};

/** What threads did in a second of the recording, in columns: millions of runs ask. */
class Threads {
  /** By key: the second that is read, and the one with most moves before. */
  #seconds = new Float64Array(FIELDS << 10);
  #most = new Float64Array(FIELDS << 10);
  /** By key: a bit for each CPU on which the thread ran in the second that is read, in `#words` numbers of 32 bits. */
  #isOn = new Int32Array(1 << 10);
  #words = 1;
  /** Keys, in the order in which threads ran first. */
  readonly #utids: number[] = [];

  /** Adds runs, the times of which are counted from `start` on. */
  add({ rowCount, columns }: Batch<'ts' | 'te' | 'cpu' | 'utid'>, start: number): void {
    const starts = columns.ts.values;
    const ends = columns.te.values;
    const utids = columns.utid.values;
    const cpus = columns.cpu.values;
    for (let row = 0; row < rowCount; row++) {
      const utid = (utids[row] ?? 0) | 0;
      const cpu = (cpus[row] ?? 0) | 0;
      if (utid === 0) continue;
      while (cpu >= 32 * this.#words) this.#widen();
      if (FIELDS * utid >= this.#seconds.length) this.#grow(2 * utid);
      const seconds = this.#seconds;
      const at = FIELDS * utid;
      const ts = starts[row] ?? 0;
      const number = Math.floor((ts - start) / SECOND_NS);
      const isNew = seconds[at + RUNS] === 0;
      if (isNew) {
        this.#utids.push(utid);
        // Its first run is no move.
        seconds[at + CPU] = cpu;
      }
      const isFirst = isNew || seconds[at + NUMBER] !== number;
      if (isFirst) this.#begin(utid, number);
      const hasMoved = seconds[at + CPU] !== cpu;
      // Where runs follow one another on one CPU, the first run has already counted the CPU.
      if (hasMoved || isFirst) this.#count(utid, cpu);
      if (hasMoved) seconds[at + MOVES] = (seconds[at + MOVES] ?? 0) + 1;
      seconds[at + RUNS] = (seconds[at + RUNS] ?? 0) + 1;
      seconds[at + RAN_NS] = (seconds[at + RAN_NS] ?? 0) + ((ends[row] ?? 0) - ts);
      seconds[at + CPU] = cpu;
    }
  }

  /** Of each thread that moved its key, then the fields of the second in which it moved most up to `CPUS`. */
  most(): number[][] {
    return this.#utids.flatMap((utid) => {
      this.#keepMost(utid);
      const fields = this.#most.subarray(FIELDS * utid, FIELDS * utid + CPU);
      return fields[MOVES] === 0 ? [] : [[utid, ...fields]];
    });
  }

  /** Begins another second of a thread. */
  #begin(utid: number, number: number): void {
    const at = FIELDS * utid;
    this.#keepMost(utid);
    this.#seconds.fill(0, at, at + CPU);
    this.#seconds[at + NUMBER] = number;
    this.#isOn.fill(0, utid * this.#words, (utid + 1) * this.#words);
  }

  #keepMost(utid: number): void {
    const [at, end] = [FIELDS * utid, FIELDS * utid + CPU];
    if ((this.#seconds[at + MOVES] ?? 0) > (this.#most[at + MOVES] ?? 0))
      this.#most.set(this.#seconds.subarray(at, end), at);
  }

  #count(utid: number, cpu: number): void {
    const word = utid * this.#words + (cpu >> 5);
    const before = this.#isOn[word] ?? 0;
    const after = before | (1 << (cpu & 31));
    if (before === after) return;
    this.#isOn[word] = after;
    const at = FIELDS * utid + CPUS;
    this.#seconds[at] = (this.#seconds[at] ?? 0) + 1;
  }

  #grow(threads: number): void {
    this.#seconds = grown(this.#seconds, new Float64Array(FIELDS * threads));
    this.#most = grown(this.#most, new Float64Array(FIELDS * threads));
    this.#isOn = grown(this.#isOn, new Int32Array(this.#words * threads));
  }

  /** Room for twice as many CPUs. */
  #widen(): void {
    const [before, words] = [this.#isOn, this.#words];
    this.#words = 2 * words;
    this.#isOn = new Int32Array(2 * before.length);
    for (let at = 0; at < before.length; at++)
      this.#isOn[Math.floor(at / words) * 2 * words + (at % words)] = before[at] ?? 0;
  }
}
