import { expect, test } from 'vitest';
import { NO_OWN_RULES, runAllRules } from '../../shared/findings/index.ts';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { findingsText } from './findings-text.ts';

test('of lost events whose time is not known, the text says so', async () => {
  const [start, end] = [1_000_000_000, 1_100_000_000];
  const trace = new TraceWriter()
    .start(start, start)
    .fact(start, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: end })
    .fact(start, 'etw.loss', { kind: 'lost_events', dur_ns: end - start, count: 7 })
    .fact(end, 'etw.end');
  const found = await runAllRules(await queryOf(trace.finish()), NO_OWN_RULES, { start, end });
  expect([...findingsText('a.etl', found, { start, end })].slice(0, 3)).toEqual([
    '  unknown  Lost events  (0.000000 s to 0.100000 s)\n',
    '           1 × events dropped: 7 lost in all; how long nothing was recorded is not known.\n',
    '           outrank view system a.etl --from 1000000000 --to 1100000000\n',
  ]);
});
