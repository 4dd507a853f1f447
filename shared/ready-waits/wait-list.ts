import { startsFromSizes } from '../tables/index.ts';
import type { ProcessCodes } from './process-codes.ts';
import type { WaitBins } from './wait-bins.ts';

/** Waits as they are read, with room for so many. */
export class WaitList {
  readonly utid: Uint32Array;
  /** As `waitKey` makes them. */
  readonly key: Uint32Array;
  readonly dur_ns: Float64Array;
  /** How many waits there are: what follows is room. */
  size = 0;

  constructor(room: number) {
    this.utid = new Uint32Array(room);
    this.key = new Uint32Array(room);
    this.dur_ns = new Float64Array(room);
  }

  add(utid: number, key: number, dur_ns: number): void {
    const at = this.size++;
    this.utid[at] = utid;
    this.key[at] = key;
    this.dur_ns[at] = dur_ns;
  }
}

/** All waits of lists, each a row of its own: those of a process lie together, so that its sums find them in the cache of a processor. */
export function rowsByProcess(lists: readonly WaitList[], processes: ProcessCodes): WaitBins {
  const next = new Uint32Array(processes.count);
  for (const list of lists) countOf(list, processes, next);
  const size = startsFromSizes(next);
  const sum_ns = new Float64Array(size);
  const bins = {
    ...{ utid: new Uint32Array(size), key: new Uint32Array(size), count: new Uint32Array(size).fill(1) },
    ...{ sum_ns, max_ns: sum_ns },
  };
  for (const list of lists) putIn(list, processes, next, bins);
  return bins;
}

/** Adds how many waits each process has. */
function countOf({ utid, size }: WaitList, processes: ProcessCodes, counts: Uint32Array): void {
  for (let wait = 0; wait < size; wait++) {
    const process = processes.of(utid[wait] ?? 0);
    counts[process] = (counts[process] ?? 0) + 1;
  }
}

/** Puts each wait into the next row of its process. */
function putIn(list: WaitList, processes: ProcessCodes, next: Uint32Array, bins: WaitBins): void {
  const { utid, key, dur_ns, size } = list;
  for (let wait = 0; wait < size; wait++) {
    const thread = utid[wait] ?? 0;
    const process = processes.of(thread);
    const row = next[process] ?? 0;
    next[process] = row + 1;
    bins.utid[row] = thread;
    bins.key[row] = key[wait] ?? 0;
    bins.sum_ns[row] = dur_ns[wait] ?? 0;
  }
}
