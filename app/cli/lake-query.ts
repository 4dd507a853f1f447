import { parseArgs } from 'node:util';
import { BOUND_OPTIONS, namingBound, readBounds } from './bounded-query.ts';
import { choice, only } from './command.ts';
import { withReader } from './lake-open.ts';
import { FORMATS, readSql } from './query.ts';
import { print, printData } from './terminal.ts';

/** `outrank lake query`: the rows that SQL gives. */
export async function queryLake(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      sql: { type: 'string' },
      file: { type: 'string' },
      format: { type: 'string', default: 'table' },
      memory: { type: 'string', default: '1GiB' },
      ...BOUND_OPTIONS,
    },
  });
  const address = only(positionals, 'LAKE');
  const format = choice('format', values.format, ['table', 'json', 'csv']);
  const bounds = readBounds(values);
  const sql = await readSql(values.sql, values.file);
  return withReader(address, values.memory, async (reader) => {
    const result = await namingBound(() => reader.query(sql, bounds));
    await (format === 'table' ? print : printData)(FORMATS[format](result));
    return 0;
  });
}
