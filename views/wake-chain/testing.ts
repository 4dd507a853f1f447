/** Small traces of threads that wake one another. */
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { wakeChain } from './view.ts';

/** States and a wait reason, by Windows' numbers. */
export const WAITING = 5;
export const TERMINATED = 4;
export const USER_REQUEST = 6;
/** The traces' time. */
export const whole = { start: 1000, end: 50_000 };
/** The sample of a run that ends in a wait. */
export const blocks = { rank: 0, outPriority: 8, waitReason: USER_REQUEST, state: WAITING };
/** The idle thread as the one switched out. */
export const idle = [0, 2, 0] as const;

/** A trace of processes with a thread each: pid 100, 110 and so on, tid one more. */
export const begin = (...processes: readonly string[]) => {
  const trace = new TraceWriter().start(whole.start, 1_700_000_000_000_000_000);
  trace.fact(whole.start, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: whole.end });
  trace.process(whole.start, 'Idle', '', { pid: 0 });
  processes.forEach((name, index) => {
    const pid = 100 + 10 * index;
    trace.process(whole.start, name, '', { pid }).thread(whole.start, null, { tid: pid + 1, pid });
  });
  return trace;
};

/** Threads that run once and block, and later wake one another in turn; those in `dpcs` are woken from a DPC. */
export const relay = (count: number, dpcs: readonly number[]) => {
  const trace = begin(...Array.from({ length: count }, (_, at) => `p${at}.exe`));
  const tid = (at: number) => 101 + 10 * at;
  for (let at = 0; at < count; at++) {
    const ts = 2000 + 20 * at;
    trace
      .contextSwitch(ts, 0, idle, [tid(at), 8, blocks])
      .contextSwitch(ts + 10, 0, [tid(at), WAITING, USER_REQUEST], [0, 0]);
  }
  for (let at = 0; at < count; at++) {
    const ts = 10_000 + 100 * at;
    const inDpc = dpcs.includes(at);
    trace.readyThread(ts, 0, tid(at), inDpc ? 0 : tid(at - 1));
    if (at > 0) trace.contextSwitch(ts + 20, 0, [tid(at - 1), WAITING, USER_REQUEST], [0, 0]);
    trace.contextSwitch(ts + 40, 0, idle, [
      tid(at),
      9,
      { ...blocks, rank: at % 3, readyFlags: inDpc ? 1 : 0 },
    ]);
  }
  const ts = 10_000 + 100 * count;
  return trace.contextSwitch(ts, 0, [tid(count - 1), WAITING, USER_REQUEST], [0, 0]);
};

/** What the view loads of a trace, which this ends. */
export const load = async (trace: TraceWriter, given: Readonly<Record<string, unknown>> = {}) => {
  const query = await queryOf(trace.fact(whole.end, 'etw.end'));
  return wakeChain.load(query, readParams(wakeChain.params, given), whole);
};
