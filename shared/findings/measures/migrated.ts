import { dataOf, type Batch } from '../../tables/index.ts';
import type { Measure } from './index.ts';

const SECOND_NS = 1e9;

/** What a thread did in a second of the recording. */
interface Second {
  readonly number: number;
  moves: number;
  runs: number;
  ran_ns: number;
  cpus: number;
  /** By CPU: whether it ran there. */
  readonly isOn: boolean[];
}

/** The second of a thread that is read, and the one with most moves so far. */
interface SoFar {
  readonly utid: number;
  second: Second;
  most: Second;
  cpu: number;
}

/** Of each thread the second of the recording in which it changed its CPU most often. */
export const migrated: Measure = {
  columns: ['utid', 'ts', 'dur', 'moves', 'runs', 'ran_ns', 'cpus'],
  async rows({ query, whole }) {
    const threads = new Threads();
    const columns = ['ts', 'te', 'cpu', 'utid'] as const;
    for await (const batch of dataOf(query).tables.batches('etw_run', columns))
      look(batch, threads, whole.start);
    return threads.all
      .map((of) => ({ utid: of.utid, ...moreMoves(of) }))
      .filter(({ moves }) => moves > 0)
      .map(({ utid, number, moves, runs, ran_ns, cpus }) => {
        const start = whole.start + number * SECOND_NS;
        return [utid, start, Math.min(SECOND_NS, whole.end - start), moves, runs, ran_ns, cpus];
      })
      .sort((a, b) => (b[3] ?? 0) - (a[3] ?? 0));
  },
};

/** What threads did, in the order in which they ran first. */
class Threads {
  readonly all: SoFar[] = [];
  /** By key: millions of runs ask. */
  readonly #byKey: SoFar[] = [];

  of(utid: number, second: number, cpu: number): SoFar {
    const known = this.#byKey[utid];
    if (known !== undefined) return known;
    const first = newSecond(second);
    const thread = { utid, second: first, most: first, cpu };
    this.all.push(thread);
    return (this.#byKey[utid] = thread);
  }
}

function look(
  { rowCount, columns }: Batch<'ts' | 'te' | 'cpu' | 'utid'>,
  threads: Threads,
  start: number,
): void {
  const starts = columns.ts.values;
  const ends = columns.te.values;
  const utids = columns.utid.values;
  const cpus = columns.cpu.values;
  for (let row = 0; row < rowCount; row++) {
    const ts = starts[row] ?? 0;
    const te = ends[row] ?? 0;
    const utid = utids[row] ?? 0;
    const cpu = cpus[row] ?? NaN;
    if (utid === 0) continue;
    const number = Math.floor((ts - start) / SECOND_NS);
    const of = threads.of(utid, number, cpu);
    if (number !== of.second.number) {
      of.most = moreMoves(of);
      of.second = newSecond(number);
    }
    const { second } = of;
    // Where runs follow one another on one CPU, the first run has already counted the CPU.
    if ((cpu !== of.cpu || second.runs === 0) && second.isOn[cpu] !== true) {
      second.isOn[cpu] = true;
      second.cpus++;
    }
    second.runs++;
    second.ran_ns += te - ts;
    if (cpu !== of.cpu) second.moves++;
    of.cpu = cpu;
  }
}

function newSecond(number: number): Second {
  return { number, moves: 0, runs: 0, ran_ns: 0, cpus: 0, isOn: [] };
}

function moreMoves({ second, most }: SoFar): Second {
  return second.moves > most.moves ? second : most;
}
