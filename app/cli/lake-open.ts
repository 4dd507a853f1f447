import { availableParallelism } from 'node:os';
import { Lake, readLake, startDuckDB, type LakeReader } from '../fleet/index.ts';
import { UsageError } from './command.ts';
import { readSize } from './store-options.ts';
import { say } from './terminal.ts';

/** Of more units than this each question opens too many files. */
const MANY_UNITS = 500;
/** What DuckDB takes where it only writes or checks. */
const WORK_BYTES = 1 << 30;

/** The LAKE of a command, and what follows it. */
export function lakeFirst(positionals: readonly string[]): readonly [lake: string, rest: readonly string[]] {
  const [address, ...rest] = positionals;
  if (address === undefined) throw new UsageError('LAKE is missing');
  return [address, rest];
}

/** Lets `use` ask a lake, within the memory that `--memory` gives; tells what of the lake cannot be read. */
export function withReader<T>(
  address: string,
  memory: string,
  use: (reader: LakeReader) => Promise<T>,
): Promise<T> {
  return readLake(address, { memoryBytes: readSize('memory', memory) }, (reader) => {
    for (const problem of reader.listing.problems) say(`left out: ${problem}`);
    const units = reader.listing.units.size;
    if (units > MANY_UNITS)
      say(`${address}: ${units} traces and packs are files of their own: outrank lake compact makes it fast`);
    return use(reader);
  });
}

/** Lets `use` write or check a lake with DuckDB, which takes so many threads. Small tables are written in less time by one thread. */
export async function withLake<T>(
  address: string,
  use: (on: { readonly lake: Lake; readonly duckdb: Awaited<ReturnType<typeof startDuckDB>> }) => Promise<T>,
  { create = false, threads = availableParallelism() } = {},
): Promise<T> {
  const lake = await Lake.open(address, { create });
  const duckdb = await startDuckDB({ memoryBytes: WORK_BYTES, threads });
  try {
    return await use({ lake, duckdb });
  } finally {
    await duckdb.end();
  }
}
