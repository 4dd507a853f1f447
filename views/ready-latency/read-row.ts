import { toNumber, toText, type Row } from '../../shared/engine/index.ts';
import type { ReadyWait } from './model.ts';
import { threadLabel } from './model.ts';

/** A row of `details.sql`, and why the thread ran late. */
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

function readiedBy(row: Row): string | null {
  if (row.waker_in_dpc === 1) return 'a DPC';
  const tid = toNumber(row.waker_tid);
  return tid === null ? null : threadLabel(toText(row.waker_process), tid);
}
