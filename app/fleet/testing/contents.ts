import type { QueryResult } from '../../../shared/engine/index.ts';
import { LAKE_TABLES } from '../tables.ts';
import { LakeReader } from '../lake/reader.ts';
import type { Lake } from '../lake/lake.ts';

/** What tests let a query take. */
export const BOUNDS = { seconds: 60, rows: 1e6, bytes: 1e9 };

/** Lets `use` ask a lake. */
export async function asking<T>(
  lake: Lake,
  copies: string,
  use: (ask: (sql: string) => Promise<QueryResult>) => Promise<T>,
): Promise<T> {
  const reader = await LakeReader.open(lake, { memoryBytes: 256 << 20, threads: 2, copies });
  try {
    return await use((sql) => reader.query(sql, BOUNDS));
  } finally {
    await reader.end();
  }
}

/** All rows of all tables of a lake, as text, in an order that only they tell. */
export async function contentsOf(
  lake: Lake,
  copies: string,
): Promise<Readonly<Record<string, readonly string[]>>> {
  return asking(lake, copies, async (ask) => {
    const contents: Record<string, readonly string[]> = {};
    for (const table of Object.keys(LAKE_TABLES)) {
      const rows = (await ask(`SELECT * FROM "${table}"`)).rows();
      contents[table] = [...rows]
        .map((row) =>
          JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
        )
        .sort();
    }
    return contents;
  });
}
