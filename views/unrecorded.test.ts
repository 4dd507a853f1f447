import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { makeQuery } from '../shared/engine/index.ts';
import { processorWith } from '../shared/engine/testing/start.ts';
import { TraceWriter } from '../shared/engine/testing/trace-writer.ts';
import { readParams, stillContext } from '../shared/view/index.ts';
import { views } from './index.ts';

const START = 1_000_000_000;
const range = { start: START, end: 2 * START };

/** A recording of a second on one CPU, without any context switch. */
async function withoutSwitches() {
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: range.end })
    .process(START, 'app.exe', '', { pid: 16 });
  const processor = await processorWith(trace.fact(range.end, 'etw.end').finish());
  return makeQuery((sql) => Promise.resolve(processor.query(sql)));
}

test('a view without context switches says what records them, and claims nothing of the range', async () => {
  const query = await withoutSwitches();
  const drawn: Record<string, string> = {};
  for (const id of ['ready-latency', 'wake-chain', 'release-moments', 'cpu-usage', 'rank-history']) {
    const view = views.find((each) => each.id === id);
    if (view === undefined) throw new Error(`there is no view ${id}`);
    const params = readParams(view.params, {});
    const model = await view.load(query, params, range);
    const { document } = parseHTML('<main></main>');
    const container = document.querySelector('main') as unknown as HTMLElement;
    const context = { ...stillContext({ range, cpuCount: 1 }, range, params), still: false };
    view.draw(container, model, context);
    drawn[id] = [...container.querySelectorAll('h2, p, li')].map((each) => each.textContent).join(': ');
  }
  expect(drawn).toMatchInlineSnapshot(`
    {
      "cpu-usage": "Not recorded: No context switches were recorded, so it is not known who ran. Record with the kernel flag CSWITCH (in WPR: the CPU profile).",
      "rank-history": "Not recorded: No context switches were recorded, and ranks come with them. Record with the kernel flag CSWITCH (in WPR: the CPU profile).",
      "ready-latency": "Not recorded: No context switches were recorded, so nothing is known of waiting. Record with the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile).",
      "release-moments": "Not recorded: No context switches were recorded, so nothing is known of waiting. Record with the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile).",
      "wake-chain": "Not recorded: No context switches were recorded, so nothing is known of wakes. Record with the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile).",
    }
  `);
});
