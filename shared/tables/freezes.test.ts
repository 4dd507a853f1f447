import { expect, test } from 'vitest';
import { makeQuery } from '../engine/index.ts';
import { processorWith } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import { readFreezes } from './freezes.ts';
import { sqlTables } from './sql-tables.ts';

const [FREEZE, THAW] = [11, 12];
/** The process that freezes others, and its thread. */
const FREEZER = [8, 9] as const;

test('freezes come in the order of their begins, with what the recording has cut of them', async () => {
  const trace = new TraceWriter()
    .start(1000, 0)
    .fact(1000, 'etw.trace', { schema: 1, cpu_count: 1, start_ts: 1000, end_ts: 2000 });
  for (const [pid, name] of [
    [8, 'svchost.exe'],
    [16, 'photos.exe'],
    [24, 'mail.exe'],
  ] as const)
    trace.process(1000, name, '', { pid });
  trace.thread(1000, null, { tid: 9, pid: 8 });
  const change = (ts: number, id: number, pid: number) =>
    trace.genericEvent(ts, 'Microsoft-Windows-Kernel-Process/ProcessFreeze', FREEZER, id, {
      FrozenProcessID: pid,
    });
  change(1100, FREEZE, 16);
  change(1200, FREEZE, 404);
  change(1300, THAW, 24);
  change(1400, THAW, 404);
  change(1500, THAW, 16);
  change(1600, FREEZE, 24);
  trace.fact(2000, 'etw.end');

  const processor = await processorWith(trace.finish());
  const query = makeQuery((sql) => Promise.resolve(processor.query(sql)));
  const [thread] = [...(await query('SELECT utid FROM etw_thread WHERE tid = 9')).rows()];
  const processes = [...(await query('SELECT pid, upid FROM etw_process')).rows()];
  const upidOf = (wanted: number) => processes.find(({ pid }) => pid === wanted)?.upid;
  const frozen = { frozen_by_utid: thread?.utid, open_start: false, open_end: false };
  expect(await readFreezes(sqlTables(query))).toEqual([
    { ts: 1000, te: 1300, upid: upidOf(24), pid: 24, ...frozen, frozen_by_utid: null, open_start: true },
    { ts: 1100, te: 1500, upid: upidOf(16), pid: 16, ...frozen },
    { ts: 1200, te: 1400, upid: null, pid: 404, ...frozen },
    { ts: 1600, te: 2000, upid: upidOf(24), pid: 24, ...frozen, open_end: true },
  ]);
});
