/** A column, or an argument of a function. */
export interface SchemaColumn {
  readonly name: string;
  /** As PerfettoSQL declares it: `LONG`, `STRING`. */
  readonly type: string;
  /** Its meaning and unit, on one line. */
  readonly comment: string;
}

/** A table, view or function of a module. */
export interface SchemaItem {
  readonly kind: 'TABLE' | 'VIEW' | 'FUNCTION';
  readonly name: string;
  readonly comment: string;
  /** Empty for what is no function. */
  readonly arguments: readonly SchemaColumn[];
  /** Empty for a function that gives one value. */
  readonly columns: readonly SchemaColumn[];
}

/** What one SQL file defines. */
export interface SchemaModule {
  /** The file's first comment. */
  readonly title: string;
  readonly items: readonly SchemaItem[];
}

const START = /^CREATE PERFETTO (TABLE|VIEW|FUNCTION) (etw_\w+)/;
/** The end of the head of a function that gives one value. */
const ONE_VALUE = /^RETURNS [A-Z]+ AS$/;
const COLUMN = /^ {2}(\w+) ([A-Z]+),?$/;

/** Reads the public items of a module. Throws an error that names `file` where a comment is missing. */
export function readModule(file: string, sql: string): SchemaModule {
  const items: (SchemaItem & { arguments: SchemaColumn[]; columns: SchemaColumn[] })[] = [];
  let comment: string[] = [];
  let into: SchemaColumn[] | null = null;
  let title = '';
  for (const line of sql.split('\n')) {
    const [, text] = /^\s*-- ?(.*)$/.exec(line) ?? [];
    if (text !== undefined) {
      comment.push(text);
      continue;
    }
    const [, kind, name] = START.exec(line) ?? [];
    const [, column, type] = COLUMN.exec(line) ?? [];
    if (kind !== undefined && name !== undefined) {
      if (comment.length === 0) throw new Error(`${file}: ${name} has no comment`);
      const item = {
        kind: kind as SchemaItem['kind'],
        name,
        comment: comment.join('\n'),
        arguments: [],
        columns: [],
      };
      items.push(item);
      into = kind === 'FUNCTION' ? item.arguments : item.columns;
    } else if (line === 'RETURNS TABLE(') {
      into = items.at(-1)?.columns ?? null;
    } else if (into !== null && column !== undefined && type !== undefined) {
      if (comment.length === 0) {
        throw new Error(`${file}: column ${column} of ${items.at(-1)?.name ?? ''} has no comment`);
      }
      into.push({ name: column, type, comment: comment.join(' ') });
    } else if (line.startsWith(') AS') || ONE_VALUE.test(line)) {
      into = null;
    }
    if (title === '' && comment.length > 0) title = comment.join(' ');
    comment = [];
  }
  return { title, items };
}
