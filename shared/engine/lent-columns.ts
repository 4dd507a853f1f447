import { openArrowTable, UNORDERED_METADATA } from '../columns/arrow-table.ts';
import { contextSwitches } from '../columns/context-switches/index.ts';
import type { ByteSource, OpenSource } from '../columns/byte-source.ts';
import { INDEXED_BYTES_MAX, sqliteDatabase, type DatabaseTable } from '../columns/sqlite-pages/index.ts';
import { withCodes } from '../columns/with-codes.ts';
import { withLengths } from '../columns/with-lengths.ts';
import { withNumbers } from '../columns/with-numbers.ts';
import { readPaths, withPaths } from '../columns/with-paths.ts';
import { withShapes } from '../columns/with-shapes.ts';
import { messageOf } from '../model/message.ts';
import { END_BEFORE_TABLE, REASON_CODE_TABLE, RUN_COUNTER_TABLE, SWITCH_TABLE } from '../sql/modules.ts';
import { EngineError, type ColumnsFile } from './engine.ts';

/** Files of columns that are open, and the database that they make. */
export interface LentColumns {
  readonly database: ByteSource;
  /** Gives the codes of the main reasons of ready waits, by row, before they are read. */
  giveReasons(codes: Uint8Array): void;
  close(): void;
}

/**
 * Opens files of columns, each by `open`. Files that go with a trace have the columns that SQL on the trace has. Throws an
 * {@link EngineError} of kind `load`, and leaves no file open then.
 */
export function lendColumns(
  files: readonly ColumnsFile[],
  open: (path: string) => OpenSource,
  isBesideTrace = false,
): LentColumns {
  const sources: OpenSource[] = [];
  let reasons: Uint8Array = new Uint8Array();
  const close = () => sources.forEach((source) => source.close());
  try {
    const tables = files.map(({ table: name, path, indexes = [], ranges: known = [], numbered }) => {
      const source = open(path);
      sources.push(source);
      const opened = openArrowTable(source);
      const unordered = opened.metadata.get(UNORDERED_METADATA);
      const ranges = known.map((range) =>
        range.column === unordered ? { ...range, ascends: false } : range,
      );
      const table = withLengths(opened);
      if (numbered === undefined) return { name, table, indexes, ranges };
      return table.columns.some((column) => column.name === numbered)
        ? { name, table, indexes: [...indexes, numbered], ranges }
        : { name, table: withNumbers(table, numbered), indexes, ranges };
    });
    const whole = withWholeEvents(tables);
    const shown = isBesideTrace ? asOfTrace(whole, () => reasons) : whole;
    // All are counted without a look at their columns: whoever meets a table asks first how many rows it has.
    const counted = shown.map((lent) => ({ ...lent, isCounted: true }));
    return {
      database: sqliteDatabase('facts', counted, keyCountsOf(tables)),
      giveReasons(codes) {
        reasons = codes;
      },
      close,
    };
  } catch (error) {
    close();
    throw new EngineError('load', messageOf(error));
  }
}

/** How many values keys of threads and of processes have: as many as there are of these. */
function keyCountsOf(tables: readonly DatabaseTable[]): Readonly<Record<string, number>> {
  const countOf = (wanted: string) => tables.find(({ name }) => name === wanted)?.table.rowCount;
  const [threads, processes] = [countOf('etw_thread'), countOf('etw_process')];
  return {
    ...(threads === undefined ? {} : Object.fromEntries(THREAD_KEYS.map((key) => [key, threads]))),
    ...(processes === undefined ? {} : { upid: processes }),
  };
}

/** Tables with whole generic events, where a cache has them parted. */
function withWholeEvents(tables: readonly DatabaseTable[]): readonly DatabaseTable[] {
  const shapes = tables.find(({ name }) => name === 'etw_event_shape')?.table;
  if (shapes === undefined) return tables;
  return tables
    .filter(({ table }) => table !== shapes)
    .map((lent) =>
      lent.name === 'etw_generic_event'
        ? withBoundedRanges({ ...lent, table: withShapes(lent.table, shapes) })
        : lent,
    );
}

/** Tables that have less than those of their names in SQL on the trace: what these are made of there. */
const PARTS: Readonly<Record<string, string | undefined>> = {
  etw_run_before: END_BEFORE_TABLE,
  etw_run_counter: RUN_COUNTER_TABLE,
};

/** Counts for models; SQL has no such table. */
const COUNTS_OF_STRETCHES = 'etw_ready_wait_stretch';

/** The columns with keys of threads. */
const THREAD_KEYS = ['utid', 'waker_utid', 'new_utid', 'old_utid', 'ready_utid'];

/** What SQL looks context switches up by. */
const SWITCH_LOOKUPS: Omit<DatabaseTable, 'name' | 'table'> = {
  indexes: ['new_utid', 'old_utid', 'ready_utid'],
  ranges: [{ column: 'ts', ascends: false }],
};

/** Tables with the columns that SQL on the whole trace has: what they refer to in others stands in its place. */
function asOfTrace(tables: readonly DatabaseTable[], reasons: () => Uint8Array): readonly DatabaseTable[] {
  const named = (wanted: string) => tables.find(({ name }) => name === wanted)?.table;
  const files = named('etw_file');
  const [runs, runsBefore, waits] = [named('etw_run'), named('etw_run_before'), named('etw_ready_wait')];
  // Several tables of requests share them.
  const paths = files && readPaths(files);
  const shown = tables.flatMap((lent) => {
    if (lent.name === COUNTS_OF_STRETCHES) return [];
    const part = PARTS[lent.name];
    if (part !== undefined) return [{ ...lent, name: part }];
    if (lent.table === waits)
      return [lent, { ...lent, name: REASON_CODE_TABLE, table: withCodes(waits, 'reason_code', reasons) }];
    if (paths === undefined || lent.table === files) return [lent];
    return [{ ...lent, table: withPaths(lent.table, paths) }];
  });
  if (runs === undefined || runsBefore === undefined || waits === undefined) return shown;
  const table = contextSwitches({ runs, runsBefore, waits });
  return [...shown, { name: SWITCH_TABLE, table, ...SWITCH_LOOKUPS }];
}

/** A table without the indexes of columns whose texts are too long for one, as only a forged trace has them. */
function withBoundedRanges({ table, ranges = [], ...lent }: DatabaseTable): DatabaseTable {
  const isBounded = (wanted: string) => {
    const column = table.columns.find(({ name }) => name === wanted);
    return (column?.dictionary?.longestBytes ?? 0) <= INDEXED_BYTES_MAX;
  };
  return { ...lent, table, ranges: ranges.filter(({ column }) => isBounded(column)) };
}
