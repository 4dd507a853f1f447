import type { Query } from '../engine/index.ts';
import { sqlTables } from './sql-tables.ts';
import type { Tables } from './tables.ts';

/** What the model of a view asks of a trace, if scheduling is in columns. */
export interface TraceData {
  /** SQL on all but what the tables have: it answers long before the whole trace is loaded. */
  readonly outline: Query;
  readonly tables: Tables;
  /** False where tables are read by SQL, many times slower: then ask for no more than is drawn. */
  readonly hasColumns: boolean;
}

const known = new WeakMap<Query, TraceData>();

/** Has a view that is given `query` find the trace's columns by it. */
export function connectData(query: Query, data: Omit<TraceData, 'hasColumns'>): Query {
  known.set(query, { ...data, hasColumns: true });
  return query;
}

/** The columns of a trace by what asks it; of a trace without columns the same tables by SQL. */
export function dataOf(query: Query): TraceData {
  const data = known.get(query) ?? { outline: query, tables: sqlTables(query), hasColumns: false };
  known.set(query, data);
  return data;
}
