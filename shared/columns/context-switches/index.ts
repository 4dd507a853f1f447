import type { Column, ColumnReader, ColumnTable, ColumnType, ColumnValues } from '../column-table.ts';
import { Scratch } from '../scratch.ts';
import { bitsOf, columnNumber } from './row-blocks.ts';
import { RUN, SwitchJoin, WAIT, type RowsElsewhere, type SwitchTables } from './switch-join.ts';

const TIME: ColumnType = { kind: 'int', bytes: 8, signed: true };
const WORD: ColumnType = { kind: 'int', bytes: 4, signed: true };

/** The columns of `etw_context_switch` that are no stacks: of the run that begins, of what is joined with it, and times. */
const COLUMNS = [
  { name: 'ts', of: 'run', column: 'ts' },
  { name: 'cpu', of: 'run', column: 'cpu' },
  { name: 'new_utid', of: 'run', column: 'utid' },
  { name: 'old_utid', of: 'old', column: 'utid' },
  { name: 'new_priority', of: 'run', column: 'priority' },
  { name: 'old_priority', of: 'old', column: 'switch_out_priority' },
  { name: 'new_rank', of: 'run', column: 'rank' },
  { name: 'old_rank', of: 'old', column: 'rank' },
  { name: 'old_state', of: 'old', column: 'switch_out_state' },
  { name: 'old_wait_reason', of: 'old', column: 'switch_out_wait_reason' },
  { name: 'old_wait_mode', of: 'old', column: 'switch_out_wait_mode' },
  { name: 'ready_ts', of: 'time' },
  { name: 'ready_utid', of: 'wait', column: 'waker_utid' },
  { name: 'ready_ns', of: 'time' },
  { name: 'ready_cause', of: 'wait', column: 'cause' },
  { name: 'ready_flags', of: 'wait', column: 'flags' },
  { name: 'since_last_ns', of: 'time' },
  { name: 'last_switch_out_ts', of: 'time' },
  { name: 'last_state', of: 'last', column: 'switch_out_state' },
  { name: 'last_wait_reason', of: 'last', column: 'switch_out_wait_reason' },
  { name: 'last_wait_mode', of: 'last', column: 'switch_out_wait_mode' },
  { name: 'last_rank', of: 'last', column: 'rank' },
  { name: 'last_cpu', of: 'last', column: 'cpu' },
  { name: 'run_ns', of: 'run', column: 'dur' },
  { name: 'switch_out_ts', of: 'end' },
  { name: 'new_priority_decrement', of: 'run', column: 'priority_decrement' },
  { name: 'new_qos', of: 'run', column: 'switch_out_qos' },
  { name: 'previous_c_state', of: 'run', column: 'previous_c_state' },
] as const;

/** Context switches: a row for each run, in the order of runs. What is known of both threads is joined where rows are read. */
export function contextSwitches(tables: SwitchTables): ColumnTable {
  const { runs, waits } = tables;
  const join = new SwitchJoin(tables);
  const own = (name: string) => runs.openColumn(columnNumber(runs, name));
  const columns = COLUMNS.map((shown): Column => {
    if (shown.of === 'time' || shown.of === 'end') return { name: shown.name, type: TIME, dictionary: null };
    const table = shown.of === 'wait' ? waits : runs;
    const { type = WORD, dictionary = null } = table.columns[columnNumber(table, shown.column)] ?? {};
    const isNarrow = shown.of !== 'run' && type.kind === 'int' && type.bytes < 4;
    return { name: shown.name, type: isNarrow ? WORD : type, dictionary };
  });
  return {
    ...runs,
    key: null,
    columns,
    openColumn(number) {
      const [shown, column] = [COLUMNS[number], columns[number]];
      if (shown === undefined || column === undefined)
        throw new RangeError(`no column ${number} of switches`);
      switch (shown.of) {
        case 'run':
          return own(shown.column);
        case 'end':
          return whereEnded(own('te'), own('ended'));
        case 'time':
          return times((batch, from, to) => join.of(batch, from, to)[shown.name]);
        default: {
          const names: readonly string[] = shown.of === 'wait' ? WAIT : RUN;
          const rows = (batch: number, from: number, to: number) => join.of(batch, from, to)[shown.of];
          return gathered(rows, names.indexOf(shown.column), column, runs);
        }
      }
    },
  };
}

/** What is there of the rows `from` to `to` (exclusive) of a batch. */
type OfStretch<T> = (batch: number, from: number, to: number) => T;

/** Reads a column of rows elsewhere, by its number in their blocks; null where there is no such row. */
function gathered(
  rowsOf: OfStretch<RowsElsewhere>,
  number: number,
  { dictionary }: Column,
  { batches }: ColumnTable,
): ColumnReader {
  const [presents, memory, starts, lengths] = [new Scratch(), new Scratch(), new Scratch(), new Scratch()];
  const load = (batch: number, from: number, to: number): ColumnValues => {
    const { blocks, places } = rowsOf(batch, from, to);
    const [present, words] = [presents.bytes(to - from), memory.words(to - from)];
    for (let row = 0; row < present.length; row++) {
      const column = blocks[row]?.[number];
      const place = places[row] ?? 0;
      present[row] = column?.present[place] ?? 0;
      words[row] = column?.words[place] ?? 0;
    }
    if (dictionary === null) return { kind: 'number', present, values: words };
    const [start, length] = [starts.words(to - from), lengths.words(to - from)];
    for (let row = 0; row < present.length; row++) {
      const code = words[row] ?? 0;
      start[row] = dictionary.start[code] ?? 0;
      length[row] = dictionary.length[code] ?? 0;
    }
    return { kind: 'text', present, bytes: dictionary.bytes, start, length, codes: words };
  };
  return {
    load,
    addLengths(batch, sums) {
      const loaded = load(batch, 0, batches[batch]?.rowCount ?? 0);
      if (loaded.kind !== 'text') return noLengths();
      for (let row = 0; row < sums.length; row++) sums[row] = (sums[row] ?? 0) + (loaded.length[row] ?? 0);
    },
  };
}

/** Reads times that are reckoned; null where one is NaN. */
function times(timesOf: OfStretch<Float64Array>): ColumnReader {
  const [presents, memory] = [new Scratch(), new Scratch()];
  return {
    load(batch, from, to) {
      const reckoned = timesOf(batch, from, to);
      const [present, values] = [presents.bytes(to - from), memory.words(2 * (to - from))];
      for (let row = 0; row < present.length; row++) {
        const time = reckoned[row] ?? NaN;
        present[row] = Number.isNaN(time) ? 0 : 1;
        values[2 * row] = time;
        values[2 * row + 1] = Math.floor(time / 2 ** 32);
      }
      return { kind: 'number', present, values };
    },
    addLengths: noLengths,
  };
}

/** The ends of runs; null where one was not recorded. */
function whereEnded(ends: ColumnReader, ended: ColumnReader): ColumnReader {
  const presents = new Scratch();
  return {
    load(batch, from, to) {
      const values = ends.load(batch, from, to);
      const present = presents.bytes(to - from);
      present.set(bitsOf(ended.load(batch, from, to)));
      return { ...values, present };
    },
    addLengths: noLengths,
  };
}

function noLengths(): never {
  throw new RangeError('a number is no text');
}
