import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery, toNumber, type Query, type Row } from '../../shared/engine/index.ts';
import type { Tables } from '../../shared/tables/index.ts';
import { whyLateEstimates } from '../../shared/why-late/index.ts';
import { estimateWhys, judgeRanks, type Wait } from '../../shared/why-late/columns/index.ts';
import { openColumns, SCENARIOS, writeColumns } from './testing/columns.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from './testing/real.ts';

/** A trace as SQL tells it, and as its columns and the rest without scheduling do. */
interface BothWays {
  readonly query: Query;
  readonly outline: Query;
  readonly tables: Tables;
}

/** The longest waits, with what the estimate of a wait takes. */
const WAITS = `
  SELECT
    w.ts, w.te, w.dur, w.utid, w.rank, w.priority, w.cpu, w.flags, w.ended, w.last_ready_ts,
    w.flags & 6 > 0 AND w.last_ready_ts IS NULL AS swapped_out,
    EXISTS (SELECT 1 FROM etw_run AS i WHERE i.te = w.te AND +i.cpu = w.cpu AND +i.utid = 0) AS took_idle_cpu
  FROM etw_ready_wait AS w
  ORDER BY w.dur DESC, w.ts
  LIMIT 500`;

function readWait(row: Row): Wait {
  return {
    ts: Number(row.ts),
    te: Number(row.te),
    utid: Number(row.utid),
    rank: toNumber(row.rank),
    priority: toNumber(row.priority),
    cpu: toNumber(row.cpu),
    flags: toNumber(row.flags),
    last_ready_ts: toNumber(row.last_ready_ts),
  };
}

async function expectSameEstimates({ query, outline, tables }: BothWays): Promise<void> {
  const rows = [...(await query(WAITS)).rows()];
  const cpus = [...(await query('SELECT cpu_count FROM etw_trace')).rows()];
  const bySql = whyLateEstimates(query);
  await bySql.load(query, rows, Number(cpus[0]?.cpu_count));
  const whys = await estimateWhys({ outline, tables }, rows.map(readWait));
  const told = (why: (row: Row, index: number) => unknown) =>
    rows.map((row, index) => `${Number(row.utid)} ${Number(row.ts)}: ${String(why(row, index))}`);
  expect(told((_, index) => whys[index])).toEqual(told((row) => bySql.of(row)));
}

async function expectSameRanks({ query, outline, tables }: BothWays): Promise<void> {
  const rows = [...(await query('SELECT * FROM etw_ready_wait_rank ORDER BY ts')).rows()];
  const judged = await judgeRanks({ outline, tables });
  const told = judged
    .sort((a, b) => a.ts - b.ts)
    .map((wait) => ({ ...wait, put_aside_better: Number(wait.put_aside_better) }));
  expect(told).toEqual(rows);
}

describeReal('the model of the scheduler tells the same from columns and by SQL', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  test.each(SCENARIOS.map((scenario) => [scenario.join(' '), scenario] as const))(
    'of %s',
    async (name, scenario) => {
      const trace = writeTrace(join(folder, `${name}.etl`), ...scenario);
      const outline = writeColumns(trace, join(folder, name));
      const { tables, close } = openColumns(join(folder, name));
      const { id } = await host.open(trace, {});
      const { id: without } = await host.open(outline, {});
      const both = {
        query: makeQuery((sql) => host.query(id, sql)),
        outline: makeQuery((sql) => host.query(without, sql)),
        tables,
      };
      try {
        await expectSameEstimates(both);
        await expectSameRanks(both);
      } finally {
        close();
        await host.close(id);
        await host.close(without);
      }
    },
  );
});
