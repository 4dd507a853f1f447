import { oncePerTrace, type Query } from '../engine/index.ts';
import { dataOf, inOneOrder, numberAt } from '../tables/index.ts';
import { loadLosses, loadMachine } from '../why-late/columns/index.ts';
import { joinGaps } from './gaps.ts';
import { LaneMaker, RUN_COLUMNS, WAIT_COLUMNS, type Life } from './lane-maker.ts';
import type { Lanes } from './lanes.ts';

/** The lanes of a trace; made once. */
export const loadLanes = oncePerTrace(async (query: Query): Promise<Lanes> => {
  const { tables } = dataOf(query);
  const machine = await loadMachine(tables);
  const lives = await loadLives(query);
  const gaps = joinGaps(await loadLosses(tables));
  const maker = new LaneMaker(machine, lives, gaps);
  await inOneOrder(
    tables,
    {
      table: 'etw_ready_wait',
      columns: WAIT_COLUMNS,
      onRow: (batch, row) => {
        maker.addWait(batch, row);
      },
    },
    {
      table: 'etw_run',
      columns: RUN_COLUMNS,
      onRow: (batch, row) => {
        maker.addRun(batch, row);
      },
    },
  );
  return maker.finish();
});

/** When threads were made and ended. */
async function loadLives(query: Query): Promise<ReadonlyMap<number, Life>> {
  const lives = new Map<number, Life>();
  const names = ['utid', 'create_ts', 'exit_ts'] as const;
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_thread', names)) {
    for (let row = 0; row < rowCount; row++) {
      const life = { create_ts: numberAt(columns.create_ts, row), exit_ts: numberAt(columns.exit_ts, row) };
      if (life.create_ts !== null || life.exit_ts !== null) lives.set(columns.utid.values[row] ?? 0, life);
    }
  }
  return lives;
}
