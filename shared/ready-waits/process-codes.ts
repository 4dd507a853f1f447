import type { ThreadName } from '../threads/index.ts';

/** Processes of threads as codes: the key of the process and one more, and 0 where it is not known. */
export class ProcessCodes {
  /** All codes are below. */
  readonly count: number;
  readonly #ofThread: Uint32Array;

  constructor(names: ReadonlyMap<number, ThreadName>) {
    let [threads, count] = [0, 1];
    for (const [utid, { upid }] of names) {
      threads = Math.max(threads, utid + 1);
      count = Math.max(count, (upid ?? -1) + 2);
    }
    this.count = count;
    this.#ofThread = new Uint32Array(threads);
    for (const [utid, { upid }] of names) this.#ofThread[utid] = (upid ?? -1) + 1;
  }

  /** The code of the process of a thread. */
  of(utid: number): number {
    // Never beyond the end: code that reads there is compiled anew, and slower.
    return utid < this.#ofThread.length ? (this.#ofThread[utid] ?? 0) : 0;
  }
}
