import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { queryOf } from '../shared/engine/testing/start.ts';
import { TraceWriter } from '../shared/engine/testing/trace-writer.ts';
import { readParams, stillContext } from '../shared/view/index.ts';
import { views } from './index.ts';

const START = 1_000_000_000;
const range = { start: START, end: 2 * START };

/** A recording of a second on one CPU, with a process and nothing else. */
async function withAlmostNothing() {
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: range.end })
    .process(START, 'app.exe', '', { pid: 16 });
  return queryOf(trace.fact(range.end, 'etw.end'));
}

/** Views that show something of any trace, or say of what may not have happened that it may not have been recorded. */
const OTHERS = new Set([
  'overview',
  'processes',
  'system',
  'frozen-processes',
  'focus-and-input',
  'episodes',
]);

test('a view whose events were not recorded says so and what records them, and claims nothing of the range', async () => {
  const query = await withAlmostNothing();
  const drawn: Record<string, string> = {};
  for (const view of views.filter(({ id }) => !OTHERS.has(id))) {
    const params = readParams(view.params, {});
    const model = await view.load(query, params, range);
    const { document } = parseHTML('<main></main>');
    const container = document.querySelector('main') as unknown as HTMLElement;
    const context = { ...stillContext({ range, cpuCount: 1 }, range, params), still: false };
    view.draw(container, model, context);
    drawn[view.id] = [...container.querySelectorAll('h2, p, li')].map((each) => each.textContent).join(': ');
  }
  expect(drawn).toMatchInlineSnapshot(`
    {
      "blame": "Not recorded: No context switches were recorded: who was blocked is not known. Record with the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile).",
      "blocked-time": "Not recorded: No context switches were recorded: who was blocked is not known. Record with the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile).",
      "context-switches": "Not recorded: No context switches were recorded: how often CPUs switched is not known. Record with the kernel flags CSWITCH and PROFILE (in WPR: the CPU profile).",
      "cpu-sampled": "Not recorded: No profile samples were recorded: which code ran is not known. Record with the kernel flag PROFILE and stacks of Profile, CSwitch and ReadyThread (in WPR: the CPU profile).",
      "cpu-usage": "Not recorded: No context switches were recorded: who ran is not known. Record with the kernel flag CSWITCH (in WPR: the CPU profile).",
      "explain": "Not recorded: No context switches were recorded: what threads did is not known. Record with the kernel flags CSWITCH, DISPATCHER, DPC and INTERRUPT (in WPR: the CPU profile).",
      "generic-events": "Not recorded: No events of providers were recorded: there is nothing to list. Record with any provider that is switched on (xperf: -on NAME; WPR: a profile with an EventProvider).",
      "io": "Not recorded: No disk transfers were recorded: what the disks did is not known. Record with the kernel flags DISK_IO and DISK_IO_INIT (in WPR: the DiskIO profile).",
      "rank-history": "Not recorded: No context switches were recorded: ranks come with them. Record with the kernel flag CSWITCH (in WPR: the CPU profile).",
      "ready-latency": "Not recorded: No context switches were recorded: waits are not known. Record with the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile).",
      "release-moments": "Not recorded: No context switches were recorded: waits are not known. Record with the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile).",
      "runaway": "Not recorded: No context switches and no profile samples were recorded: who ran is not known. Record with the kernel flags CSWITCH and PROFILE (in WPR: the CPU profile).",
      "threads": "Not recorded: No threads were recorded: there is nothing to list. Record with the kernel flag PROC_THREAD (in WPR: any profile).",
      "timeline": "Not recorded: No context switches were recorded: what ran is not known. Record with the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile).",
      "user-locks": "Not recorded: No uses of the window manager's lock were recorded: nothing is known of the user lock. Record the provider Microsoft-Windows-Win32k with the keyword 0x0200000010000000.",
      "wake-chain": "Not recorded: No context switches were recorded: wakes are not known. Record with the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile).",
      "what-if": "Not recorded: No context switches were recorded: waits are not known. Record with the kernel flag CSWITCH (in WPR: the CPU profile).",
    }
  `);
});
