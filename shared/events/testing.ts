import { memorySource } from '../columns/index.ts';
import { arrowFile, type TestTable } from '../columns/testing/arrow-files.ts';
import { openArrowSet } from '../tables/arrow-set.ts';
import type { TableName, Tables } from '../tables/index.ts';

/** A row of a test table. */
export type Row = TestTable['rows'][number];
/** A shape of events, as its table has it. */
export type ShapeRow = readonly [kind: string, header: string | null, fields: string];

/** A table as the file that a trace would have. */
export function tableOf(name: TableName, table: TestTable) {
  return [name, memorySource(`${name}.arrow`, arrowFile(table))] as const;
}

/** The tables of events (time, CPU, thread, shape and values), two of them in a batch, and others. */
export function openEvents(
  shapes: readonly ShapeRow[],
  events: readonly Row[],
  others: readonly ReturnType<typeof tableOf>[] = [],
): Tables {
  const numbers = { event_id: 'uint16', version: 'uint8', opcode: 'uint8', task: 'uint16', level: 'uint8' };
  const rows = shapes.map(([kind, ...texts]): Row => [kind, 0, 0, 1, 2, 4, 0n, ...texts]);
  return openArrowSet(
    new Map([
      tableOf('etw_event_shape', {
        columns: { kind: 'utf8', ...numbers, keywords: 'int64', header: 'utf8', fields: 'utf8' },
        rows,
      } as TestTable),
      tableOf('etw_generic_event', {
        columns: { ts: 'int64', cpu: 'uint16', utid: 'uint32', shape: 'uint32', values: 'utf8' },
        batchRows: 2,
        rows: events,
      }),
      ...others,
    ]),
  ).tables;
}
