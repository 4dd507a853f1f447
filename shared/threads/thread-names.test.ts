import { expect, test } from 'vitest';
import { queryOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import { sqlTables } from '../tables/index.ts';
import { processLabel, threadLabel } from './labels.ts';
import { loadThreadNames, utidsMatching, type ThreadName } from './thread-names.ts';

const of = (process: string | null, pid: number, upid: number | null) => ({
  process,
  pid,
  upid,
  services: null,
  service: null,
});
const names = new Map<number, ThreadName>([
  [1, { ...of('Server.exe', 40, 2), tid: 44, thread: 'pump' }],
  [2, { ...of('Server.exe', 40, 2), tid: 48, thread: null }],
  [3, { ...of('app.exe', 48, 3), tid: 52, thread: 'Pump of app' }],
  // Of a process that is not known.
  [4, { ...of(null, 60, null), tid: 64, thread: null }],
]);

test.each([
  [{ process: null, thread: null }, null],
  [{ process: 'server', thread: null }, [1, 2]],
  [{ process: '48', thread: null }, [3]],
  [{ process: null, thread: 'PUMP' }, [1, 3]],
  [{ process: 'exe', thread: '48' }, [2]],
  [{ process: '60', thread: null }, [4]],
] as const)('threads that match %o', (wanted, utids) => {
  expect(utidsMatching(names, wanted)).toEqual(utids);
});

/** Process 16 hosts three services, and thread 20 works for one. Process 24 hosts one; process 32 none. */
function servicesTrace(): TraceWriter {
  const trace = new TraceWriter().start(1000, 0).fact(1000, 'etw.trace', { schema: 1, end_ts: 2000 });
  trace
    .process(1000, 'svchost.exe', '', { pid: 16 })
    .process(1000, 'svchost.exe', '', { pid: 24 })
    .process(1000, 'app.exe', '', { pid: 32 })
    .thread(1000, 'pump', { tid: 20, pid: 16, sub_process_tag: 7 })
    .thread(1000, null, { tid: 21, pid: 16 })
    .thread(1000, 'wait', { tid: 28, pid: 24 })
    .thread(1000, null, { tid: 36, pid: 32 });
  for (const [ServiceName, ProcessId, SubProcessTag] of [
    ['DcomLaunch', 16, 7],
    ['PlugPlay', 16, 8],
    ['Power', 16, 9],
    ['Winmgmt', 24, 10],
  ] as const) {
    trace.genericEvent(1100, 'SysConfig/Services', [0, 0], 0xb0f, { ServiceName, ProcessId, SubProcessTag });
  }
  return trace;
}

test('a thread has the service that it works for, else those of its process; SQL names it alike', async () => {
  const query = await queryOf(servicesTrace());
  const loaded = await loadThreadNames(sqlTables(query));
  const sql = 'SELECT utid, etw_thread_label(utid) AS label FROM etw_thread WHERE tid != 0 ORDER BY tid';
  const told = [...(await query(sql)).rows()];
  expect(told.map(({ label }) => label)).toEqual([
    'svchost.exe DcomLaunch (tid 20, pump)',
    'svchost.exe DcomLaunch +2 (tid 21)',
    'svchost.exe Winmgmt (tid 28, wait)',
    'app.exe (tid 36)',
  ]);
  const of = told.map(({ utid }) => loaded.get(Number(utid)));
  expect(of.map(threadLabel)).toEqual(told.map(({ label }) => label));
  expect(of.map(processLabel)).toEqual([
    'svchost.exe DcomLaunch +2 (pid 16)',
    'svchost.exe DcomLaunch +2 (pid 16)',
    'svchost.exe Winmgmt (pid 24)',
    'app.exe (pid 32)',
  ]);
});
