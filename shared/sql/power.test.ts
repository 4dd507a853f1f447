import { expect, test } from 'vitest';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';

const NOBODY = [0, 0] as const;
const HZ = 10_000_000;

/** The rows of `etw_suspend` in a trace from 1000 to 9000 that `events` are written to. */
async function suspends(events: (trace: TraceWriter) => void): Promise<unknown> {
  const trace = new TraceWriter().start(1000, 0).fact(1000, 'etw.trace', { schema: 1, end_ts: 9000 });
  events(trace);
  return rowsOf(await processorWith(trace.fact(9000, 'etw.end').finish()), 'SELECT * FROM etw_suspend');
}

test('the kernel tells when the machine slept, and whether the performance counter stood still', async () => {
  const rows = await suspends((trace) => {
    const sleep = (ts: number, counter: number) =>
      trace.genericEvent(ts, 'Power/PreSleep', NOBODY, 0x1230, {
        PerformanceCounter: counter,
        PerformanceFrequency: HZ,
      });
    const wake = (ts: number, counter: number) =>
      trace.genericEvent(ts, 'Power/PostSleep', NOBODY, 0x1231, { PerformanceCounter: counter });
    sleep(2000, 500);
    wake(5000, 503);
    trace.genericEvent(5100, 'Microsoft-Windows-Kernel-Power/107', NOBODY, 107, {});
    sleep(6000, 510);
    sleep(7000, 520);
  });
  expect(rows).toEqual([
    { ts: 2000, dur: 3000, counter_ns: 300, open_end: 0 },
    { ts: 7000, dur: 2000, counter_ns: null, open_end: 1 },
  ]);
});

test('where the kernel does not tell, Kernel-Power does', async () => {
  const rows = await suspends((trace) => {
    trace
      .genericEvent(2000, 'Microsoft-Windows-Kernel-Power/42', NOBODY, 42, {})
      .genericEvent(3000, 'Microsoft-Windows-Kernel-Power/107', NOBODY, 107, {});
  });
  expect(rows).toEqual([{ ts: 2000, dur: 1000, counter_ns: null, open_end: 0 }]);
});
