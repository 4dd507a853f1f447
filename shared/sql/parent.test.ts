import { expect, test } from 'vitest';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';

/** A process by its id and its parent's; `create_ts` and `exit_ts` as the trace tells them. */
interface Life {
  readonly pid: number;
  readonly parent_pid: number;
  readonly create_ts?: number;
  readonly exit_ts?: number;
}

/** The processes by name, each with its parent's; a name is the id, with the place in the list. */
async function parents(...lives: readonly Life[]) {
  const trace = new TraceWriter().start(0, 0).fact(0, 'etw.trace', { schema: 1, end_ts: 100 });
  const ends = [...lives].sort((a, b) => (a.exit_ts ?? 0) - (b.exit_ts ?? 0));
  const name = (life: Life) => `${life.pid} as ${lives.indexOf(life) + 1}`;
  for (const life of lives) {
    const created = life.create_ts ?? 0;
    for (const { pid, exit_ts } of ends.filter(({ exit_ts = Infinity }) => exit_ts < created)) {
      if (exit_ts !== undefined && pid === life.pid) trace.free(exit_ts, pid);
    }
    trace.process(created, name(life), '', { ...life });
  }
  const processor = await processorWith(trace.fact(100, 'etw.end').finish());
  return rowsOf(
    processor,
    `SELECT c.name, p.name AS parent FROM etw_process AS c LEFT JOIN etw_process AS p ON p.upid = c.parent_upid
     ORDER BY c.upid`,
  ).map((row) => [row.name, row.parent]);
}

test('a parent is the process that had the id when the child was created', async () => {
  expect(
    await parents(
      { pid: 4, parent_pid: 0 },
      { pid: 8, parent_pid: 4, exit_ts: 50 },
      { pid: 20, parent_pid: 8, create_ts: 40 },
      { pid: 28, parent_pid: 8, create_ts: 55 },
      { pid: 8, parent_pid: 4, create_ts: 60 },
      { pid: 24, parent_pid: 8, create_ts: 70 },
    ),
  ).toEqual([
    ['4 as 1', null],
    ['8 as 2', '4 as 1'],
    ['20 as 3', '8 as 2'],
    ['28 as 4', null],
    ['8 as 5', '4 as 1'],
    ['24 as 6', '8 as 5'],
  ]);
});

test('a process that came later is no parent: it has the id that the parent once had', async () => {
  expect(
    await parents({ pid: 8, parent_pid: 12 }, { pid: 12, parent_pid: 8 }, { pid: 16, parent_pid: 16 }),
  ).toEqual([
    ['8 as 1', null],
    ['12 as 2', '8 as 1'],
    ['16 as 3', null],
  ]);
});
