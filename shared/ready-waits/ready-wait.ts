import { toNumber, toText, type Row } from '../engine/index.ts';
import type { OwnedThread } from '../threads/index.ts';
import type { MainWhy } from '../why-late/index.ts';

/** The ranks that were recorded at the ends of the runs before and after a wait; null where one was not. */
export interface RecordedRanks {
  readonly before: number | null;
  readonly after: number | null;
  /** Where both are known and what ran meanwhile was looked at: how much of the wait each explains, in ns. */
  readonly explained_ns: { readonly before: number; readonly after: number } | null;
}

/** One wait of a thread that was ready to run. */
export interface ReadyWait extends OwnedThread<number> {
  readonly ts: number;
  readonly dur: number;
  /** False where the trace ends before the thread ran: the wait was longer than `dur`. */
  readonly ended: boolean;
  /** `wake`: it had waited for something, and was readied. `preempted`: it had run, and was put aside. */
  readonly cause: string;
  /** The CPU on which it then ran. */
  readonly cpu: number | null;
  readonly rank: number | null;
  /** The ranks that were recorded before and after it, where that is not one and the same; null too where one is not known, and the other is 0. */
  readonly recorded_ranks: RecordedRanks | null;
  readonly priority: number | null;
  readonly base_priority: number | null;
  /**
   * Why it ran late: of the 500 longest an estimate from a few instants, `pending` until it is made; in the detail the verdict; else
   * null.
   */
  readonly why_late: MainWhy | 'pending' | null;
  /** How long it had been blocked before it was readied, in ns; null if it was not, or that is not known. */
  readonly waited_ns: number | null;
  /** True where the trace starts within that time: it was longer than `waited_ns`. */
  readonly waited_since_start: boolean;
  readonly wait_reason: string | null;
  /** Who readied it: `explorer.exe (tid 4711)`, or `DPC on CPU 3`. */
  readonly readied_by: string | null;
  /** The boost that came with the wake: `+2`. */
  readonly boost: string | null;
}

/** A wait of the list, from what its table tells, the names, and what came before; and why the thread ran late. */
export function readWait(row: Row, why_late: ReadyWait['why_late']): ReadyWait {
  const blocked_ns = toNumber(row.blocked_ns);
  const ts = Number(row.ts);
  const woken = row.cause === 'wake';
  const firstSeen = toNumber(row.last_switch_out_ts) === null;
  const sinceStart = woken && firstSeen && toNumber(row.create_ts) === null;
  const increment = toNumber(row.ready_increment);
  return {
    ts,
    dur: Number(row.dur),
    ended: row.ended === 1,
    cause: toText(row.cause) ?? '',
    tid: Number(row.tid),
    thread: toText(row.thread),
    pid: toNumber(row.pid),
    process: toText(row.process),
    service: toText(row.service),
    cpu: toNumber(row.cpu),
    rank: toNumber(row.rank),
    recorded_ranks: readRanks(row),
    priority: toNumber(row.priority),
    base_priority: toNumber(row.base_priority),
    why_late,
    waited_ns: sinceStart ? ts - (toNumber(row.start_ts) ?? ts) : woken ? blocked_ns : null,
    waited_since_start: sinceStart,
    wait_reason: toText(row.wait_reason),
    readied_by: readiedBy(row),
    boost: increment === null || increment === 0 ? null : increment > 0 ? `+${increment}` : String(increment),
  };
}

function readRanks(row: Row): RecordedRanks | null {
  if (row.rank_source === null || row.rank_source === 'recorded') return null;
  const differ = row.rank_before !== null && row.rank_after !== null;
  // A thread that never left rank 0, as far as is known.
  if (!differ && row.rank === 0) return null;
  const [before, after] = [toNumber(row.before_explains_ns), toNumber(row.after_explains_ns)];
  return {
    before: toNumber(row.rank_before),
    after: toNumber(row.rank_after),
    explained_ns: before === null || after === null ? null : { before, after },
  };
}

function readiedBy(row: Row): string | null {
  if (row.waker_in_dpc === 1) return 'a DPC';
  return toNumber(row.waker_tid) === null ? null : toText(row.waker);
}
