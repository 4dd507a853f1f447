import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../shared/model/index.ts';
import { columnsOf, LAKE_VERSION, TABLE_ORDER, type LakeTableName } from '../tables.ts';
import { listLiteral, type OpenDuckDB } from './duckdb.ts';
import type { Lake } from './lake.ts';
import { LakeError } from './lake-error.ts';
import { isFullTable, type LakeFile, type Manifest } from './manifest.ts';
import { copyRows, declared } from './parquet.ts';
import { putFile } from './put-file.ts';

/** Where packs are made. */
export interface Packing {
  readonly lake: Lake;
  readonly duckdb: OpenDuckDB;
}

/** A unit, and the traces of it that go into a pack. */
export interface PackedPart {
  readonly unit: Manifest;
  readonly ids: ReadonlySet<string>;
}

/**
 * Writes traces of one day as one pack, and lists it; the units that they are taken of stay, to be removed by the caller. Full tables
 * stay where they lie. Rejects with a {@link LakeError} where a file of the units is missing or damaged: then nothing is listed.
 */
export async function writePack(
  packing: Packing,
  date: string | null,
  parts: readonly PackedPart[],
): Promise<Manifest> {
  const traces = parts
    .flatMap(({ unit, ids }) => unit.traces.filter(({ id }) => ids.has(id)))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const name = createHash('sha256').update(JSON.stringify([date, ...traces.map(({ id }) => id)]));
  // Of two packs that hold a trace the one with more traces has the greater name, and counts.
  const unit = `pack-${String(traces.length).padStart(8, '0')}-${name.digest('hex').slice(0, 16)}`;
  const files = parts.flatMap(({ unit: { files }, ids }) =>
    files.filter(
      ({ table, path }) => isFullTable(table) && [...ids].some((id) => path.includes(`/trace=${id}/`)),
    ),
  );
  for (const table of TABLE_ORDER) {
    const path = await merge(packing, table, parts);
    files.push(await putFile(packing, { table, unit, date, path }));
    await rm(path);
  }
  const manifest: Manifest = {
    format: 'outrank-lake-manifest',
    version: LAKE_VERSION,
    outrank: parts[0]?.unit.outrank ?? '',
    unit,
    date,
    traces,
    files,
  };
  await packing.lake.publish(manifest);
  return manifest;
}

/** The rows of the parts in a table as one file; gives its path. */
async function merge(
  { lake, duckdb: { connection, work } }: Packing,
  table: LakeTableName,
  parts: readonly PackedPart[],
): Promise<string> {
  const columns = listLiteral(columnsOf(table).map(([name]) => name));
  const copies = join(work, 'copies');
  await mkdir(copies, { recursive: true });
  await connection.run(`CREATE OR REPLACE TEMP TABLE _rows (${declared(table)})`);
  const take = async (files: readonly LakeFile[], ids: ReadonlySet<string> | null): Promise<void> => {
    const paths: string[] = [];
    for (const { path } of files) {
      const local = await lake.storage.fetch(path, copies);
      if (local === null)
        throw new LakeError(`${lake.storage.address}/${path}: is listed and not there: outrank lake check`);
      paths.push(local);
    }
    if (paths.length === 0) return;
    const wanted = ids === null ? '' : ` WHERE trace_id IN ${listLiteral([...ids])}`;
    // A file of an older version lacks columns, which are null then.
    const sql = `INSERT INTO _rows BY NAME SELECT COLUMNS(c -> c IN ${columns}) FROM read_parquet(${listLiteral(paths)}, union_by_name = true, hive_partitioning = false)${wanted}`;
    await connection.run(sql).catch((error: unknown) => {
      throw new LakeError(
        `${lake.storage.address}: a file of the table ${table} cannot be read: ${messageOf(error)}: outrank lake check`,
      );
    });
  };
  const filesOf = ({ unit }: PackedPart) => unit.files.filter((file) => file.table === table);
  const isWhole = ({ unit, ids }: PackedPart) => unit.traces.every(({ id }) => ids.has(id));
  await take(parts.filter(isWhole).flatMap(filesOf), null);
  for (const part of parts) if (!isWhole(part)) await take(filesOf(part), part.ids);
  const to = join(work, `${table}-pack.parquet`);
  await copyRows({ connection }, table, to);
  await connection.run('DROP TABLE temp._rows');
  await rm(copies, { recursive: true, force: true });
  return to;
}
