import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';

/** When the recording begins, and a millisecond, in ns. */
export const START = 1_000_000_000;
export const MS = 1_000_000;
/** The recording. */
export const range = { start: START, end: START + 100 * MS };
/**
 * On the only CPU a hog of priority 4 runs from 10 to 60 ms, and keeps an app of rank 2 and priority 14 waiting, whom it woke at
 * 20 ms. The app then runs for 10 ms and sleeps.
 */
export function heldUp(): Uint8Array {
  const run = { rank: 0, outPriority: 8, waitReason: 6, state: 5 };
  return new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: range.end })
    .process(START, 'Idle', '', { pid: 0 })
    .process(START, 'hog.exe', '', { pid: 8 })
    .process(START, 'app.exe', '', { pid: 16 })
    .thread(START, null, { tid: 9, pid: 8 })
    .thread(START, 'UI', { tid: 20, pid: 16 })
    .contextSwitch(START, 0, [9, 5, 6], [0, 0])
    .contextSwitch(START + 10 * MS, 0, [0, 2, 0], [9, 4, run])
    .readyThread(START + 20 * MS, 0, 20, 9)
    .contextSwitch(START + 60 * MS, 0, [9, 5, 6], [20, 14, { ...run, rank: 2, waitReason: 4 }])
    .contextSwitch(START + 70 * MS, 0, [20, 5, 4], [0, 0])
    .fact(range.end, 'etw.end')
    .finish();
}
