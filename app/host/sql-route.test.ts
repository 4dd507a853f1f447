import { expect, test } from 'vitest';
import { SqlRoute } from './sql-route.ts';

const WAITS = 'SELECT * FROM etw_ready_wait';

test('the outline answers until the whole trace is loaded and its tables are built', () => {
  const route = new SqlRoute();
  expect(route.toOutline(WAITS, true)).toBe(true);
  route.ranInWhole('INCLUDE PERFETTO MODULE etw.run;');
  expect(route.toOutline(WAITS, true)).toBe(true);
  route.ranInWhole('INCLUDE PERFETTO MODULE etw.ready_wait;');
  expect(route.toOutline(WAITS, true)).toBe(false);
  expect(route.toOutline('SELECT * FROM etw_run', true)).toBe(false);
  route.restarted();
  expect(route.toOutline(WAITS, true)).toBe(true);
});

test('reasons of ready waits come from the outline whatever is loaded, or an error says why not', () => {
  const route = new SqlRoute();
  const reasons = 'SELECT main_reason, sum(dur) FROM etw_ready_wait_reason GROUP BY 1';
  route.ranInWhole('CREATE PERFETTO TABLE mine AS SELECT * FROM etw_ready_wait_reason');
  expect(route.toOutline(reasons, true)).toBe(true);
  expect(() => route.toOutline(reasons.replace('sum(dur)', '(SELECT count(*) FROM sched)'), true)).toThrow(
    'no table of Perfetto',
  );
  expect(() => route.toOutline(reasons, false)).toThrow('needs a whole .etl');
});

test('what SQL makes is known in the engine that made it', () => {
  const route = new SqlRoute();
  expect(route.toOutline('CREATE PERFETTO TABLE mine AS SELECT * FROM etw_run', true)).toBe(false);
  route.ranInWhole('CREATE PERFETTO TABLE mine AS SELECT * FROM etw_run');
  expect(route.toOutline('SELECT * FROM mine', true)).toBe(false);
  expect(route.toOutline(WAITS, true)).toBe(false);
});

test('keys of calls come from one engine as long as it can answer', () => {
  const route = new SqlRoute();
  const stacks = 'SELECT callsite FROM etw_event_stack';
  route.ranInWhole('SELECT * FROM etw_context_switch');
  expect(route.toOutline(stacks, true)).toBe(true);
  expect(route.toOutline('SELECT * FROM etw_stack(7)', true)).toBe(true);
  route.ranInWhole('INCLUDE PERFETTO MODULE etw.io;');
  expect(route.toOutline('SELECT callsite FROM etw_file_io', true)).toBe(true);
  expect(route.toOutline('SELECT * FROM etw_run', true)).toBe(false);
});
