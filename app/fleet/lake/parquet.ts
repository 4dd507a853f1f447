import { join } from 'node:path';
import { columnsOf, orderOf, SQL_TYPES, type LakeRows, type LakeTableName } from '../tables.ts';
import { literal, type OpenDuckDB } from './duckdb.ts';

/** Rows in a group of a Parquet file: what an engine reads at the least. */
const GROUP_ROWS = 122_880;

/** How Parquet is written: what DuckDB, Spark and Trino read alike. Filters by value would be a tenth of a small file, and skip nothing there. */
export const PARQUET = `(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 12, ROW_GROUP_SIZE ${GROUP_ROWS}, WRITE_BLOOM_FILTER false)`;

/** The columns of a table as SQL declares them. */
export function declared(table: LakeTableName): string {
  return columnsOf(table)
    .map(([name, { kind }]) => `"${name}" ${SQL_TYPES[kind]}`)
    .join(', ');
}

/** Writes the rows of the DuckDB table `_rows` as one Parquet file: the rows of a trace together, in an order in which they compress well. */
export async function copyRows(
  { connection }: Pick<OpenDuckDB, 'connection'>,
  table: LakeTableName,
  path: string,
): Promise<void> {
  const order = ['trace_id', ...orderOf(table)].map((name) => `"${name}"`).join(', ');
  await connection.run(`COPY (FROM _rows ORDER BY ${order}) TO ${literal(path)} ${PARQUET}`);
}

/** Writes the rows of a trace as one Parquet file of DuckDB's folder; gives its path. */
export async function writeParquet<T extends LakeTableName>(
  duckdb: OpenDuckDB,
  table: T,
  trace: string,
  rows: LakeRows[T],
): Promise<string> {
  const { connection, work } = duckdb;
  const path = join(work, `${table}-${trace}.parquet`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE _rows (${declared(table)})`);
  const appender = await connection.createAppender('_rows', null, 'temp');
  const columns = columnsOf(table);
  for (const row of rows as readonly Readonly<Record<string, string | number | bigint | boolean | null>>[]) {
    for (const [name, { kind }] of columns) {
      const value = name === 'trace_id' ? trace : (row[name] ?? null);
      if (value === null) appender.appendNull();
      else if (typeof value === 'string') appender.appendVarchar(value);
      else if (typeof value === 'boolean') appender.appendBoolean(value);
      else if (SQL_TYPES[kind] === 'DOUBLE') appender.appendDouble(Number(value));
      else appender.appendBigInt(typeof value === 'bigint' ? value : BigInt(Math.round(value)));
    }
    appender.endRow();
  }
  appender.flushSync();
  appender.closeSync();
  await copyRows(duckdb, table, path);
  return path;
}

/** How many rows a Parquet file has; rejects where it is none. */
export async function rowsOf({ connection }: OpenDuckDB, path: string): Promise<number> {
  const result = await connection.runAndReadAll(
    `SELECT coalesce(sum(num_rows), 0)::BIGINT AS num_rows FROM parquet_file_metadata(${literal(path)})`,
  );
  return Number(result.getRows()[0]?.[0] ?? 0);
}
