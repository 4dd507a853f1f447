import * as z from 'zod';
import { EngineError, type QueryResult } from '../../../shared/engine/index.ts';
import { etwNamesIn } from '../../../shared/sql/modules.ts';
import { SqlFileError, soleSelect } from '../../../shared/sql-file/index.ts';
import { formatCount } from '../../../shared/model/index.ts';
import type { ViewColumn, ViewTable } from '../../../shared/view/index.ts';
import { BoundError, boundedQuery } from '../../questions/bounded-query.ts';
import { QuestionError } from '../../questions/question-error.ts';
import { tableWords } from '../schema.ts';
import { COMMON, makeTraceTool } from '../tool.ts';

/** What one SELECT may take: an answer shows some of its rows, and sums the rest. */
export const BOUNDS = { seconds: 300, rows: 100_000, bytes: 64 << 20 };

/** The rows of a SELECT. */
export const sql = makeTraceTool({
  name: 'sql',
  title: 'Ask in SQL',
  description:
    'Runs one SELECT (SQLite) on the tables of the trace: etw_thread, etw_process, etw_run, etw_ready_wait, etw_generic_event and others. The resource outrank://schema lists them, outrank://schema/TABLE the columns; an error names the columns of the tables in the SQL. Times are ns on the trace clock.',
  takes: {
    ...COMMON,
    sql: z.string().min(1).max(100_000).describe('one SELECT, with its own LIMIT where rows are many'),
  },
  async answer({ host, opened }, { sql }) {
    const text = readOnly(sql);
    const result = await boundedQuery(host, opened.id, text, BOUNDS).catch((error: unknown) => {
      if (error instanceof BoundError)
        throw new QuestionError(
          `${error.message}: add a LIMIT or aggregate in SQL; ${BOUNDS.rows} rows and ${BOUNDS.seconds} s are the most`,
        );
      if (error instanceof EngineError && error.kind === 'sql')
        throw new QuestionError(withColumns(error, text));
      throw error;
    });
    return {
      says: [`${rowsWords(result.rowCount)}.`],
      tables: [resultTable(result)],
      not_concluded: [
        'The rows are what the SQL asks for. What was not recorded has no rows: open says what was not.',
      ],
      place: { view: 'query', sql: text },
    };
  },
});

function readOnly(text: string): string {
  try {
    return soleSelect({ name: 'sql', text });
  } catch (error) {
    if (error instanceof SqlFileError) throw new QuestionError(error.message);
    throw error;
  }
}

/** An error of SQL, with the columns of the tables that the SQL names. */
function withColumns({ message, place }: EngineError, text: string): string {
  const where = place === null ? '' : `SQL line ${place.line}, column ${place.column}: `;
  const tables = etwNamesIn(text).flatMap((name) => tableWords(name) ?? []);
  return [`${where}${message}`, ...tables].join('; ');
}

/** A number of rows in words. */
export function rowsWords(count: number): string {
  return count === 1 ? '1 row' : `${formatCount(count)} rows`;
}

/** The rows of a SELECT as a table: what a column holds is told by the unit in its name. */
export function resultTable(result: QueryResult): ViewTable {
  const rows = Array.from({ length: result.rowCount }, (_, row) =>
    result.columns.map((_, column) => result.cell(row, column)),
  );
  return { title: 'Rows', columns: result.columns.map(columnOf), rows };
}

/** A column of a result, by the unit in its name. */
function columnOf(name: string): ViewColumn {
  const kind =
    /(^|_)dur$|_ns$/.test(name) && !/ts|start|end|from|to/.test(name)
      ? 'duration_ns'
      : name.endsWith('_bytes')
        ? 'bytes'
        : 'text';
  return { name, title: name, help: '', kind };
}
