/** From when an exit waits until its process is gone. */
export interface QueuedSpan {
  readonly ts: number;
  readonly te: number;
}

/** Parts exits that were let go by the one before into queues, in the order of time: those whose waits and ends overlap are of one. */
export function queuesIn<E>(exits: readonly E[], spanOf: (exit: E) => QueuedSpan): E[][] {
  const queued = exits.map((exit) => ({ exit, ...spanOf(exit) })).sort((a, b) => a.ts - b.ts || a.te - b.te);
  const queues: E[][] = [];
  let until = -Infinity;
  for (const { exit, ts, te } of queued) {
    if (ts > until) queues.push([exit]);
    else queues.at(-1)?.push(exit);
    until = Math.max(until, te);
  }
  return queues;
}
