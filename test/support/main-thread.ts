import type { Page } from 'playwright-core';

/** What the main thread runs, task by task, and which of these draw a frame. */
const TRACED = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];

/** What Chromium's own tracing says about a stretch of work. Times are in µs; `tdur` is of the thread's processor time. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

/** Has Chromium trace what its threads run. The function that it gives ends that and resolves with the events. */
export async function startTracing(page: Page): Promise<() => Promise<readonly TraceEvent[]>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const traceConfig = { includedCategories: TRACED };
  await session.send('Tracing.start', { traceConfig, transferMode: 'ReportEvents' });
  return async () => {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    return events;
  };
}

/** The tasks of the thread that draws the page's frames, in their order. */
export function mainThreadTasks(events: readonly TraceEvent[]): readonly TraceEvent[] {
  const first = events.find(({ name }) => name === 'FireAnimationFrame');
  return events
    .filter(
      ({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && pid === first?.pid && tid === first.tid,
    )
    .sort((a, b) => a.ts - b.ts);
}
