import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { outlineAnswers } from '../../shared/sql-file/index.ts';
import type { Host, OpenTrace } from '../host/api.ts';
import { partArguments } from '../host/part.ts';
import { BOUND_DETAILS, BOUND_OPTIONS, boundedQuery, readBounds } from './bounded-query.ts';
import { choice, only, UsageError } from './command.ts';
import type { Command } from './command.ts';
import { csvRows, jsonRows, tableRows } from './rows.ts';
import { isPanel } from './panel-files.ts';
import { PANEL_OPTIONS, queryPanel } from './panel.ts';
import { OPEN_DETAILS, OPEN_USAGE, PART_OPTIONS, readPart } from './part.ts';
import { isFolder, queryTables } from './query-tables.ts';
import { withTrace } from './session.ts';
import { SYMBOL_DETAILS, SYMBOL_OPTIONS } from './symbols.ts';
import { print, printData } from './terminal.ts';
import { systemWords } from '../host/system-words.ts';

/** Rows as text, by the name of the format. */
export const FORMATS = { table: tableRows, json: jsonRows, csv: csvRows } as const;

/** `outrank query`: the rows that SQL gives. */
export const query: Command = {
  name: 'query',
  usage: `TRACE (--sql SQL | --file FILE [--param NAME=VALUE]…) [--format table|json|csv] [--max-seconds N] [--max-rows N] [--max-bytes SIZE] [--symbols PATH] ${OPEN_USAGE}`,
  summary: 'run SQL on a trace, or on a folder of exported tables, and print the rows of its last statement',
  details: [
    '--sql SQL            the SQL text; tables etw_* are documented in docs/schema.md',
    '--file FILE          the file that holds the SQL; or a panel: a *.panel.sql, or a name of `outrank panel list`',
    '--param NAME=VALUE   a parameter of the panel',
    '--thread TID         the thread that is chosen, for a panel that follows the selection',
    '--pid PID            the process that is chosen, for such a panel',
    '--format F           table (default), json (one array of objects; integers beyond 2^53 as strings), csv',
    ...BOUND_DETAILS,
    ...SYMBOL_DETAILS,
    ...OPEN_DETAILS,
    '',
    'outrank query my.etl --sql "SELECT process_name, tid FROM etw_thread LIMIT 5"',
    'outrank query my.etl --file switch-pairs --param top=5 --format csv',
  ],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        sql: { type: 'string' },
        file: { type: 'string' },
        format: { type: 'string', default: 'table' },
        ...PANEL_OPTIONS,
        ...PART_OPTIONS,
        ...SYMBOL_OPTIONS,
        ...BOUND_OPTIONS,
      },
    });
    const trace = only(positionals, 'TRACE');
    const format = choice('format', values.format, ['table', 'json', 'csv']);
    if (values.sql === undefined && values.file !== undefined && (await isPanel(values.file)))
      return queryPanel(values.file, trace, values, format, values);
    if (values.param.length > 0 || values.thread !== undefined || values.pid !== undefined)
      throw new UsageError('--param, --thread and --pid go with the --file of a panel');
    const bounds = readBounds(values);
    const sql = await readSql(values.sql, values.file);
    if (await isFolder(trace)) {
      if (partArguments(readPart(values)).length > 0 || values.with.length > 0 || values.symbols.length > 0)
        throw new UsageError(
          `${trace}: exported tables are asked whole: leave --from, --to, --only, --skip, --with and --symbols out`,
        );
      const result = await queryTables(trace, sql, bounds);
      await (format === 'table' ? print : printData)(FORMATS[format](result));
      return 0;
    }
    const run = async (host: Host, { id }: OpenTrace): Promise<void> => {
      const result = await boundedQuery(host, id, sql, bounds);
      await (format === 'table' ? print : printData)(FORMATS[format](result));
    };
    return withTrace(trace, run, {
      part: readPart(values),
      with: values.with,
      symbols: values.symbols,
      // Else both the outline and the whole trace would be converted.
      columns: outlineAnswers(sql),
    });
  },
};

/** The SQL of `--sql` or `--file`; throws a {@link UsageError}. */
export async function readSql(sql: string | undefined, file: string | undefined): Promise<string> {
  if ((sql === undefined) === (file === undefined)) throw new UsageError('give either --sql or --file');
  if (sql?.trim() === '') throw new UsageError('--sql holds no statement');
  if (sql !== undefined) return sql;
  return readFile(file ?? '', 'utf8').catch((error: unknown) => {
    throw new UsageError(`--file: ${systemWords(error)}`);
  });
}
