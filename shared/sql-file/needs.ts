import type { Query } from '../engine/index.ts';
import type { Header, HeaderEntry } from './header.ts';
import recordedSql from './recorded.sql';

/** What must be in the trace for a file to say anything: a row in a table, or a value in a column of one. */
export interface Need {
  readonly table: string;
  readonly column: string | null;
  /** What records it. */
  readonly record: string;
}

const NEED = /^([a-z_]+)(?:\.([a-z_]+))?: (.+)$/;

/** Reads an `@needs`. */
export function readNeed(header: Header, entry: HeaderEntry): Need {
  const [, table, column = null, record] = NEED.exec(entry.value) ?? [];
  if (table === undefined || record === undefined) {
    throw header.refusal(
      entry,
      'takes a table, or table.column, and what records it: "etw_focus: provider …"',
    );
  }
  return { table, column, record };
}

/** Those of `needs` that a trace has not. */
export async function missingNeeds(query: Query, needs: readonly Need[]): Promise<Need[]> {
  const missing: Need[] = [];
  for (const need of needs) {
    const sql = recordedSql.replace('/* table */', need.table).replace('/* column */', need.column ?? '1');
    const [row] = (await query(sql)).rows();
    if (row?.recorded !== 1) missing.push(need);
  }
  return missing;
}
