import { expect, test } from 'vitest';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';

/**
 * Process 8 hosts the services Dhcp and AudioSrv, listed at the start and again at the end; its thread 9 works for Dhcp.
 * It ends, and another process takes its id before the end, hosting the service Spooler. Fax does not run.
 */
function serviceTrace(): Uint8Array {
  const trace = new TraceWriter().start(1000, 1000);
  const service = (ts: number, ProcessId: number, SubProcessTag: number, ServiceName: string) =>
    trace.genericEvent(ts, 'SysConfig/Services', [4, 5], 0x0b0f, {
      ProcessId,
      SubProcessTag,
      ServiceName,
      DisplayName: `The ${ServiceName}`,
      ServiceState: ProcessId === 0 ? 'Stopped' : 'Running',
    });
  trace
    .fact(1000, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: 2000 })
    .process(1000, 'svchost.exe', '', { pid: 8, exit_ts: 1500 })
    .thread(1001, null, { tid: 9, pid: 8, sub_process_tag: 61 })
    .thread(1002, null, { tid: 10, pid: 8, sub_process_tag: 0 });
  service(1100, 8, 61, 'Dhcp');
  service(1101, 8, 62, 'AudioSrv');
  service(1102, 0, 0, 'Fax');
  service(1200, 8, 61, 'Dhcp');
  trace
    .free(1500, 9)
    .free(1500, 10)
    .free(1501, 8)
    .process(1600, 'svchost.exe', '', { pid: 8, create_ts: 1600 });
  service(1900, 8, 63, 'Spooler');
  return trace.fact(2000, 'etw.end').flush(2000).finish();
}

test('services are listed once, and name the processes and threads that work for them', async () => {
  const processor = await processorWith(serviceTrace());
  expect(rowsOf(processor, 'SELECT * FROM etw_service')).toEqual([
    { ts: 1100, name: 'Dhcp', display_name: 'The Dhcp', pid: 8, sub_process_tag: 61, state: 'Running' },
    {
      ts: 1101,
      name: 'AudioSrv',
      display_name: 'The AudioSrv',
      pid: 8,
      sub_process_tag: 62,
      state: 'Running',
    },
    { ts: 1102, name: 'Fax', display_name: 'The Fax', pid: null, sub_process_tag: 0, state: 'Stopped' },
    { ts: 1900, name: 'Spooler', display_name: 'The Spooler', pid: 8, sub_process_tag: 63, state: 'Running' },
  ]);
  expect(rowsOf(processor, 'SELECT pid, create_ts, services FROM etw_process WHERE pid = 8')).toEqual([
    { pid: 8, create_ts: null, services: 'Dhcp,AudioSrv' },
    { pid: 8, create_ts: 1600, services: 'Spooler' },
  ]);
  expect(rowsOf(processor, 'SELECT tid, service FROM etw_thread WHERE pid = 8 ORDER BY tid')).toEqual([
    { tid: 9, service: 'Dhcp' },
    { tid: 10, service: null },
  ]);
});
