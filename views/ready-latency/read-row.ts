import { toNumber, toText, type Row } from '../../shared/engine/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { ReadyWait, RecordedRanks } from './model.ts';

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
  const tid = toNumber(row.waker_tid);
  return tid === null ? null : threadLabel({ process: toText(row.waker_process), tid });
}
