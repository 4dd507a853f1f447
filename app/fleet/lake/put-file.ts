import { stat } from 'node:fs/promises';
import { contentHash } from '../../host/content-hash.ts';
import type { OpenDuckDB } from './duckdb.ts';
import type { Lake } from './lake.ts';
import { datePartition, type LakeFile } from './manifest.ts';
import { rowsOf } from './parquet.ts';

/** A file that is to lie in a lake. */
interface Putting {
  readonly table: string;
  /** A trace's id, or a pack's name. */
  readonly unit: string;
  readonly date: string | null;
  /** Where it lies now. */
  readonly path: string;
  /** How many rows it has; absent: the file says it. */
  readonly rows?: number;
}

/** Puts a Parquet file into the lake. Its name tells its content, so that no writer changes what another one listed. */
export async function putFile(
  { lake, duckdb }: { readonly lake: Lake; readonly duckdb: OpenDuckDB },
  { table, unit, date, path, rows: known }: Putting,
): Promise<LakeFile> {
  const sha256 = await contentHash(path);
  const to = `${table}/${datePartition(date)}/trace=${unit}/part-${sha256.slice(0, 16)}.parquet`;
  const { size: bytes } = await stat(path);
  const rows = known ?? (await rowsOf(duckdb, path));
  await lake.storage.put(to, path);
  return { table, path: to, bytes, sha256, rows };
}
