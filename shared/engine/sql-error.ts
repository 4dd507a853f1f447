import { EngineError } from './engine.ts';

type Place = NonNullable<EngineError['place']>;

/** A line of trace_processor's trace of an error: where the text stands, its line and column, both from 1. */
const FRAME = /^ {2}(?! )(.+) line (\d+) col (\d+)$/;
/** What it calls the SQL of the query itself. */
const QUERY_ITSELF = 'File "stdin"';
const MODULE = /^Module include "(.+)"$/;

/**
 * Reads trace_processor's error text: frames, outermost first, each followed by a line of SQL and a caret, and the
 * message. Keeps the message and the place in the query. For an error inside a module, keeps the module and the line.
 */
export function readSqlError(text: string): EngineError {
  const lines = text.split('\n');
  let place: Place | null = null;
  let module = '';
  let messageStart = 0;
  for (let i = 0; i < lines.length; i++) {
    const [, where = '', line, column] = FRAME.exec(lines[i] ?? '') ?? [];
    if (line === undefined || column === undefined) continue;
    if (where === QUERY_ITSELF) place = { line: Number(line), column: Number(column) };
    const [, moduleName] = MODULE.exec(where) ?? [];
    if (moduleName !== undefined) module = `module ${moduleName}, line ${line}, column ${column}: `;
    messageStart = i + 3;
  }
  const message = lines.slice(messageStart).join(' ').trim();
  return new EngineError('sql', module + (message === '' ? 'the statement is wrong' : message), place);
}

/** The place just after the last character of `sql` that is no white space. */
export function endOf(sql: string): Place {
  const lines = sql.trimEnd().split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
