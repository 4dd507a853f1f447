import { toNumber, toText, type Cell, type Row } from '../../shared/engine/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { ChainLink, ChainThread, Release } from './model.ts';

/** A link, from a row of {@link ChainRows}. */
export function readLink(row: Row, until_ts: number, before_dpc: boolean): ChainLink {
  const ready_ts = toNumber(row.ready_ts);
  const blocked_ns = toNumber(row.blocked_ns);
  const sinceStart = ready_ts !== null && blocked_ns === null && toNumber(row.create_ts) === null;
  return {
    ...readThread(row),
    before_dpc,
    until_ts,
    switch_in_ts: Number(row.switch_in_ts),
    ran_ns: Number(row.ran_ns),
    runs: Number(row.runs),
    ready_ts,
    ready_ns: toNumber(row.ready_ns),
    blocked_ns: sinceStart ? ready_ts - (toNumber(row.start_ts) ?? ready_ts) : blocked_ns,
    blocked_since_start: sinceStart,
    wait_reason: toText(row.wait_reason),
    rank: toNumber(row.rank),
    priority: toNumber(row.priority),
    cpu: Number(row.cpu),
    woken_by: ready_ts === null ? null : wakerLabel(row),
  };
}

function wakerLabel(row: Row): string {
  const tid = toNumber(row.waker_tid);
  if (tid !== null)
    return threadLabel({ process: toText(row.waker_process), service: toText(row.waker_service), tid });
  return row.waker_in_dpc === 0 ? 'the idle thread' : 'a DPC';
}

/** A release, from a row of {@link ChainRows}; `parent` is the index of the release that woke it. */
export function readRelease(row: Row, parent: number | undefined): Release {
  const ready_ts = Number(row.ready_ts);
  const ready_ns = Number(row.ready_ns);
  const blocked_ns = toNumber(row.blocked_ns);
  const sinceStart = blocked_ns === null && toNumber(row.create_ts) === null;
  const ended = row.ended === 1;
  return {
    ...readThread(row),
    depth: Number(row.depth),
    parent: parent ?? null,
    ready_ts,
    switch_in_ts: ended ? Number(row.ts) : null,
    block_ts: toNumber(row.block_ts),
    waited_ns: ready_ns + (sinceStart ? ready_ts - (toNumber(row.start_ts) ?? ready_ts) : (blocked_ns ?? 0)),
    ready_ns,
    at_least: sinceStart || !ended,
    wait_reason: toText(row.wait_reason),
    rank: toNumber(row.rank),
    priority: toNumber(row.priority),
  };
}

/** A key for what a thread did after being switched in at `ts`. */
export function wakeKey(utid: Cell | undefined, ts: Cell | undefined): string {
  return `${String(utid)} ${String(ts)}`;
}

function readThread(row: Row): ChainThread {
  return {
    tid: Number(row.tid),
    thread: toText(row.thread),
    pid: toNumber(row.pid),
    process: toText(row.process),
    service: toText(row.service),
  };
}
