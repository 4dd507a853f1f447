import { makeQuery, type Query } from '../engine/index.ts';
import { arrowTables, type ReadBatch } from './arrow-tables.ts';
import { sqlTables } from './sql-tables.ts';
import type { TableInfo } from './table-info.ts';
import type { Tables } from './tables.ts';

/** What the model of a view asks of a trace, if scheduling is in columns. */
export interface TraceData {
  /** SQL on all but what the tables have: it answers long before the whole trace is loaded. */
  readonly outline: Query;
  readonly tables: Tables;
  /** False where tables are read by SQL. */
  readonly hasColumns: boolean;
  /** Whether SQL may name functions by symbols. */
  readonly mayHaveSymbols: boolean;
  /** Asks the maker of models, which has the trace's files and keeps what takes long; null where there is no such maker. */
  readonly askBeside: AskBeside | null;
}

/** Asks a question by its name; the answer is what JSON can carry. */
export type AskBeside = (name: string, question: object) => Promise<unknown>;

const known = new WeakMap<Query, TraceData>();

/** How a trace is asked, wherever it is. */
export interface TraceAsker {
  /** Runs SQL on all of the trace, or on its outline, as `Engine.query` does. */
  sql(of: 'whole' | 'outline', sql: string): Promise<Uint8Array>;
  readonly readTable: ReadBatch;
  /** True where symbols were loaded: functions have names that no table has. */
  readonly hasSymbols?: boolean | undefined;
  /** Absent where no maker of models has the trace's files. */
  readonly askBeside?: AskBeside | undefined;
}

/** What a view is given to ask a trace with; its `tables` in columns, if it has any, are found by it. */
export function traceQuery(asker: TraceAsker, tables: readonly TableInfo[] | undefined): Query {
  const asking = (of: 'whole' | 'outline') => makeQuery((sql) => asker.sql(of, sql));
  const query = asking('whole');
  if (tables !== undefined) {
    const columns = arrowTables(tables, (...which) => asker.readTable(...which));
    known.set(query, {
      outline: asking('outline'),
      tables: columns,
      hasColumns: true,
      mayHaveSymbols: asker.hasSymbols === true,
      askBeside: asker.askBeside ?? null,
    });
  }
  return query;
}

/** Has `query`, which asks the same trace as another one, such as within bounds, find its columns too. */
export function withColumnsOf(other: Query, query: Query): Query {
  known.set(query, dataOf(other));
  return query;
}

/** The columns of a trace by what asks it; of a trace without columns the same tables by SQL. */
export function dataOf(query: Query): TraceData {
  const data = known.get(query) ?? {
    ...{ outline: query, tables: sqlTables(query), hasColumns: false, mayHaveSymbols: true },
    askBeside: null,
  };
  known.set(query, data);
  return data;
}
