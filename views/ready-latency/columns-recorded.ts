import { keepLast, toNumber, type Query } from '../../shared/engine/index.ts';
import { dataOf, type TableName, type Tables } from '../../shared/tables/index.ts';
import type { RecordedFacts } from './load-recorded.ts';
import recordedSql from './columns-recorded.sql';

const keep = keepLast<RecordedFacts>();

/** What the trace holds, and of a range what was lost there. */
export function recordedOfColumns(
  query: Query,
  bounds: { readonly range_start: number; readonly range_end: number },
): Promise<RecordedFacts> {
  return keep(query, `${bounds.range_start} ${bounds.range_end}`, async () => {
    const { outline, tables } = dataOf(query);
    const [row = {}] = (await outline(recordedSql, bounds)).rows();
    const unrecorded = [
      ...((await hasRows(tables, 'etw_interrupt')) ? [] : ['DPCs and interrupts']),
      ...(row.has_affinities === 1 ? [] : ['affinities']),
      ...(row.has_freezes === 1 ? [] : ['freezing of processes']),
    ];
    return {
      start_ts: toNumber(row.start_ts) ?? 0,
      end_ts: toNumber(row.end_ts) ?? 0,
      cpu_count: toNumber(row.cpu_count) ?? 0,
      tick_ns: toNumber(row.tick_ns) ?? 0,
      has_switches: await hasRows(tables, 'etw_run'),
      has_ready_threads: await hasWake(tables),
      has_ranks: await hasRank(tables),
      has_compact_switches: row.has_compact_switches === 1,
      losses: toNumber(row.losses) ?? 0,
      unrecorded,
    };
  });
}

async function hasRows(tables: Tables, table: TableName): Promise<boolean> {
  for await (const { rowCount } of tables.batches(table, ['ts'])) if (rowCount > 0) return true;
  return false;
}

async function hasWake(tables: Tables): Promise<boolean> {
  for await (const { rowCount, columns } of tables.batches('etw_ready_wait', ['cause'])) {
    const wake = columns.cause.texts?.indexOf('wake') ?? -1;
    for (let row = 0; row < rowCount; row++) if (columns.cause.values[row] === wake) return true;
  }
  return false;
}

async function hasRank(tables: Tables): Promise<boolean> {
  for await (const { rowCount, columns } of tables.batches('etw_run', ['rank'])) {
    for (let row = 0; row < rowCount; row++) if (columns.rank.present?.[row] !== 0) return true;
  }
  return false;
}
