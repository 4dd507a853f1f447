import { expect, test } from 'vitest';
import { openArrowTable } from '../arrow-table.ts';
import { memorySource } from '../byte-source.ts';
import type { ColumnTable } from '../column-table.ts';
import { arrowFile } from '../testing/arrow-files.ts';
import { withLengths } from '../with-lengths.ts';
import { contextSwitches } from './index.ts';
import { RowBlocks, timeAt } from './row-blocks.ts';
import { RowsBefore } from './rows-before.ts';

const tableOf = (name: string, file: Parameters<typeof arrowFile>[0]) =>
  withLengths(openArrowTable(memorySource(`${name}.arrow`, arrowFile(file))));

const END = {
  switch_out_priority: 'int8',
  switch_out_state: 'dictionary8',
  switch_out_wait_reason: 'dictionary8',
  switch_out_wait_mode: 'dictionary8',
} as const;

/** CPU 0 alone, but for the second row. */
const runs = tableOf('etw_run', {
  columns: {
    ts: 'int64',
    te: 'int64',
    cpu: 'uint16',
    utid: 'uint32',
    priority: 'int8',
    rank: 'uint8',
    priority_decrement: 'int8',
    previous_c_state: 'uint8',
    ended: 'bool',
    ...END,
    switch_out_qos: 'uint8',
  },
  batchRows: 4,
  rows: [
    [10n, 20n, 0, 5, 8, 0, 0, null, true, 9, 'Waiting', 'UserRequest', 'user', 1],
    [12n, 30n, 1, 6, 8, 2, 0, 1, true, 8, 'Waiting', 'Executive', 'kernel', null],
    [20n, 40n, 0, 0, 0, null, 0, null, true, 0, 'Ready', null, null, null],
    [40n, 50n, 0, 5, 10, 0, 2, 3, true, 8, 'Ready', null, null, null],
    [50n, 60n, 0, 7, 8, null, 0, null, true, -1, 'Waiting', 'UserRequest', 'user', null],
    [60n, 70n, 0, 6, 8, null, 0, null, true, 8, null, null, null, null],
    [70n, 90n, 0, 5, 8, null, 0, null, false, null, null, null, null, null],
  ],
});

/** A thread that ran before the first switch of CPU 0. */
const runsBefore = tableOf('etw_run_before', {
  columns: { ts: 'int64', utid: 'uint32', rank: 'uint8', ...END },
  rows: [[10n, 7, 1, 6, 'Waiting', 'UserRequest', 'user']],
});

const waits = tableOf('etw_ready_wait', {
  columns: {
    ts: 'int64',
    te: 'int64',
    ended: 'bool',
    cause: 'dictionary8',
    utid: 'uint32',
    waker_utid: 'uint32',
    flags: 'uint8',
    last_switch_out_ts: 'int64',
  },
  rows: [
    [35n, 40n, true, 'wake', 5, 6, 1, 20n],
    [50n, 70n, true, 'preempted', 5, null, null, 50n],
    [60n, 70n, false, 'wake', 8, 6, 0, null],
  ],
});

/** The values of each column, of stretches that end anywhere. */
function valuesOf(table: ColumnTable): unknown {
  const decoder = new TextDecoder();
  const values = table.columns.map(({ name, type }, number) => {
    const reader = table.openColumn(number);
    const stretches = table.batches.flatMap(({ rowCount }, batch) => [
      [batch, 0, 1],
      [batch, 1, rowCount],
    ]);
    const read = stretches.flatMap(([batch = 0, from = 0, to = 0]) => {
      const loaded = reader.load(batch, from, to);
      return Array.from({ length: to - from }, (_, row) => {
        if (loaded.present?.[row] === 0) return null;
        if (loaded.kind === 'text') {
          const start = loaded.start[row] ?? 0;
          return decoder.decode(loaded.bytes.subarray(start, start + (loaded.length[row] ?? 0)));
        }
        if (type.kind === 'int' && type.bytes === 8) return timeAt(loaded.values, row);
        const bits = loaded.values[row] ?? 0;
        return type.kind === 'int' && type.signed && type.bytes === 4 ? bits | 0 : bits;
      });
    });
    return [name, read];
  });
  return Object.fromEntries(values);
}

test('a switch has what is known of both threads', () => {
  expect(valuesOf(contextSwitches({ runs, runsBefore, waits }))).toEqual({
    ts: [10, 12, 20, 40, 50, 60, 70],
    cpu: [0, 1, 0, 0, 0, 0, 0],
    new_utid: [5, 6, 0, 5, 7, 6, 5],
    old_utid: [7, 0, 5, 0, 5, 7, 6],
    new_priority: [8, 8, 0, 10, 8, 8, 8],
    old_priority: [6, null, 9, 0, 8, -1, 8],
    new_rank: [0, 2, null, 0, null, null, null],
    old_rank: [1, null, 0, null, 0, null, null],
    old_state: ['Waiting', null, 'Waiting', 'Ready', 'Ready', 'Waiting', null],
    old_wait_reason: ['UserRequest', null, 'UserRequest', null, null, 'UserRequest', null],
    old_wait_mode: ['user', null, 'user', null, null, 'user', null],
    ready_ts: [null, null, null, 35, null, null, 50],
    ready_utid: [null, null, null, 6, null, null, null],
    ready_ns: [null, null, null, 5, null, null, 20],
    ready_cause: [null, null, null, 'wake', null, null, 'preempted'],
    ready_flags: [null, null, null, 1, null, null, null],
    since_last_ns: [null, null, null, 20, 40, 30, 20],
    last_switch_out_ts: [null, null, null, 20, 10, 30, 50],
    last_state: [null, null, null, 'Waiting', null, 'Waiting', 'Ready'],
    last_wait_reason: [null, null, null, 'UserRequest', null, 'Executive', null],
    last_wait_mode: [null, null, null, 'user', null, 'kernel', null],
    last_rank: [null, null, null, 0, null, 2, 0],
    last_cpu: [null, null, null, 0, null, 1, 0],
    run_ns: [10, 18, 20, 10, 10, 10, 20],
    switch_out_ts: [20, 30, 40, 50, 60, 70, null],
    new_priority_decrement: [0, 0, 0, 2, 0, 0, 0],
    new_qos: [1, null, null, null, null, null, null],
    previous_c_state: [null, 1, null, 3, null, null, null],
  });
});

test('rows that few blocks hold are read again', () => {
  const count = 5000;
  const many = tableOf('etw_run', {
    columns: { ts: 'int64', utid: 'uint32' },
    batchRows: 700,
    rows: Array.from({ length: count }, (_, row) => [BigInt(row), row % 3] as const),
  });
  const blocks = new RowBlocks(many, ['ts', 'utid'], 2);
  const rows = [0, 1023, 1024, 4999, 700, 3000, 0];
  expect(rows.map((row) => blocks.timeAt(row, 0))).toEqual(rows);
});

test('the row before is found across batches, in whatever order these are asked for', () => {
  const cpus = [4, 4, 1, 9, 4, 1, 1, 4, 4, 9, 2, 9];
  const runs = tableOf('etw_run', {
    columns: { cpu: 'uint16' },
    batchRows: 2,
    rows: cpus.map((cpu) => [cpu]),
  });
  const before = new RowsBefore(runs, 'cpu');
  const asked = [5, 0, 1, 2, 3, 4, 5, 0].map((batch) => [...before.of(batch)]);
  const expected = [0, 1, 0, 0, 2, 3, 6, 5, 8, 4, 0, 10];
  const ofBatch = (batch: number) => expected.slice(2 * batch, 2 * batch + 2);
  expect(asked).toEqual([5, 0, 1, 2, 3, 4, 5, 0].map(ofBatch));
});
