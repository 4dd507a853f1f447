import { beforeAll, expect, test } from 'vitest';
import { makeQuery, type Query } from '../../shared/engine/index.ts';
import { processorWith } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { modulesNamedIn } from '../../shared/sql/modules.ts';
import processCpuSql from './process-cpu.sql';
import processSql from './process.sql';

const MS = 1_000_000;
const WAITING = 5;

/** A shell makes a tool that runs for 2 ms and ends; later a service has the id that the tool had. */
function reusedId(): Uint8Array {
  return new TraceWriter()
    .start(MS, MS)
    .fact(MS, 'etw.trace', { schema: 1, cpu_count: 1, start_utc_ns: 0, end_ts: 40 * MS })
    .process(MS, 'Idle', '', { pid: 0 })
    .process(MS, 'shell.exe', 'shell.exe /all', { pid: 100, parent_pid: 4, session: 1 })
    .process(2 * MS, 'tool.exe', 'tool.exe -q', {
      pid: 200,
      parent_pid: 100,
      session: 1,
      create_ts: 2 * MS,
      exit_ts: 10 * MS,
      exit_code: 1,
    })
    .thread(2 * MS, null, { tid: 201, pid: 200, create_ts: 2 * MS, exit_ts: 9 * MS })
    .contextSwitch(3 * MS, 0, [0, 0, 0], [201, 8])
    .contextSwitch(5 * MS, 0, [201, WAITING, 6], [0, 0])
    .free(9 * MS, 201)
    .free(10 * MS, 200)
    .process(20 * MS, 'service.exe', '', { pid: 200, parent_pid: 100, session: 0, create_ts: 20 * MS })
    .thread(20 * MS, null, { tid: 202, pid: 200, create_ts: 20 * MS })
    .fact(40 * MS, 'etw.end')
    .finish();
}

let query: Query;

beforeAll(async () => {
  const processor = await processorWith(reusedId());
  query = makeQuery((sql) => Promise.resolve(processor.query(sql)));
  for (const module of modulesNamedIn(processSql + processCpuSql))
    await query(`INCLUDE PERFETTO MODULE ${module};`);
});

async function processAt(ts: number) {
  const [row] = (await query(processSql, { pid: 200, ts })).rows();
  const { upid, ...facts } = row ?? {};
  const [cpu] = (await query(processCpuSql, { upid: Number(upid) })).rows();
  return { ...facts, ...cpu };
}

const tool = {
  pid: 200,
  process: 'tool.exe',
  session: 1,
  parent_pid: 100,
  parent: 'shell.exe',
  create_ts: 2 * MS,
  exit_ts: 10 * MS,
  exit_code: 1,
  services: null,
  package: null,
  command_line: 'tool.exe -q',
  threads: 1,
  ran_ns: 2 * MS,
};

test('a process is the one that had its id at that time', async () => {
  expect(await processAt(5 * MS)).toEqual(tool);
  expect(await processAt(30 * MS)).toEqual({
    ...tool,
    process: 'service.exe',
    session: 0,
    create_ts: 20 * MS,
    exit_ts: null,
    exit_code: null,
    command_line: null,
    ran_ns: 0,
  });
});

test('where none had it then, it is the last one', async () => {
  expect(await processAt(15 * MS)).toMatchObject({ process: 'service.exe' });
});
