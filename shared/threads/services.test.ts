import { expect, test } from 'vitest';
import { sqlTables } from '../tables/index.ts';
import { queryOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import { loadServices } from './services.ts';

test('a thread works for the service of its process whose number it carries', async () => {
  const trace = new TraceWriter().start(1000, 0).fact(1000, 'etw.trace', { schema: 1, end_ts: 2000 });
  trace.process(1000, 'svchost.exe', '', { pid: 16 }).process(1000, 'other.exe', '', { pid: 24 });
  trace
    .thread(1000, null, { tid: 20, pid: 16, sub_process_tag: 7 })
    .thread(1000, null, { tid: 21, pid: 16, sub_process_tag: 0 })
    .thread(1000, null, { tid: 28, pid: 24, sub_process_tag: 7 });
  for (const [ts, name, tag] of [
    [1100, 'DcomLaunch', 7],
    [1200, 'Renamed', 7],
    [1100, 'None', 0],
  ] as const) {
    const fields = { ServiceName: name, ProcessId: 16, SubProcessTag: tag };
    trace.genericEvent(ts, 'SysConfig/Services', [0, 0], 0xb0f, fields);
  }
  const query = await queryOf(trace);
  const [thread] = [...(await query('SELECT utid FROM etw_thread WHERE tid = 20')).rows()];
  expect(await loadServices(sqlTables(query))).toEqual(new Map([[Number(thread?.utid), 'DcomLaunch']]));
});
