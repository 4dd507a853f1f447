import { NOT_THERE } from '../../why-late/index.ts';
import { PairNumbers } from '../../tables/index.ts';
import type { History, RunRows } from '../history.ts';
import { countOfKeys, type RowNumbers } from '../rows.ts';

/** In place of the rank of idle runs. */
const IDLE = -2;
/** In place of a row where there is none. */
export const NO_ROW = -1;

/** The runs of a history, as one who walks through time meets them. */
export interface RunLinks {
  readonly cpu: Int32Array;
  /** The next run on the same CPU that lasts; `NO_ROW` where there is none. */
  readonly next: Int32Array;
  /** What tells a run from others for those who wait, by its number. */
  readonly kind: Int32Array;
  kindOf(number: number): RunKind;
}

/** What tells runs apart for those who wait: rank and priority, or that they are idle. */
export interface RunKind {
  /** The thread; 0 is the idle one, 1 stands for any other. */
  readonly utid: 0 | 1;
  readonly rank: number;
  readonly priority: number;
}

const kept = new WeakMap<History, RunLinks>();

/** The links of a history: it is walked through block by block. */
export function runLinks(history: History): RunLinks {
  const links = kept.get(history) ?? linked(history.runs);
  kept.set(history, links);
  return links;
}

function linked(runs: RunRows): RunLinks {
  const cpu = new Int32Array(runs.column('cpu'));
  const kinds = new PairNumbers();
  return {
    cpu,
    next: nextRuns(cpu, runs.column('ts'), runs.column('te'), countOfKeys(runs.column('cpu'))),
    kind: kindsOf(runs, kinds),
    kindOf(number) {
      const rank = kinds.first(number);
      const priority = kinds.second(number);
      return rank === IDLE ? { utid: 0, rank: NOT_THERE, priority } : { utid: 1, rank, priority };
    },
  };
}

// Loops of their own: code that goes on after a loop would be given up at the end of each.

/** By run, the next one on its CPU that lasts. */
function nextRuns(cpu: Int32Array, ts: RowNumbers, te: RowNumbers, cpuCount: number): Int32Array {
  const next = new Int32Array(cpu.length);
  const nextOn = new Int32Array(cpuCount).fill(NO_ROW);
  for (let run = cpu.length - 1; run >= 0; run--) {
    const on = cpu[run] ?? 0;
    next[run] = nextOn[on] ?? NO_ROW;
    // A run without length changes nothing.
    if ((te[run] ?? 0) > (ts[run] ?? 0)) nextOn[on] = run;
  }
  return next;
}

function kindsOf(runs: RunRows, kinds: PairNumbers): Int32Array {
  const utid = runs.column('utid');
  const rank = runs.column('rank');
  const priority = runs.column('priority');
  const of = new Int32Array(runs.count);
  for (let run = 0; run < of.length; run++) {
    const own = rank[run] ?? NaN;
    of[run] =
      utid[run] === 0 ? kinds.of(IDLE, 0) : kinds.of(Number.isNaN(own) ? NOT_THERE : own, priority[run] ?? 0);
  }
  return of;
}
