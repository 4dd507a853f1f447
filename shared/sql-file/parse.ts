import { Header, SqlFileError, type HeaderEntry } from './header.ts';

/** A file of SQL and what its header says. */
export interface SqlFile {
  /** The file's name, for messages. */
  readonly name: string;
  readonly header: Header;
  /** The whole text, header included. */
  readonly text: string;
}

const ENTRY = /^--\s*@(\S*)\s*(.*)$/;
const KEY = /^[a-z][a-z_]*$/;

/** Reads the header of a file. Throws a {@link SqlFileError} for one that is no header. */
export function parseSqlFile(name: string, text: string): SqlFile {
  const entries: HeaderEntry[] = [];
  let open: { key: string; values: string[]; line: number } | null = null;
  const close = () => {
    if (open === null) return;
    const { key, line, values } = open;
    const value = values.join(' ').trim();
    if (value === '') throw new SqlFileError(name, line, `@${key} says nothing`);
    entries.push({ key, line, value });
    open = null;
  };
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (!line.startsWith('--')) break;
    const [, key, value = ''] = ENTRY.exec(line) ?? [];
    if (key !== undefined) {
      close();
      if (!KEY.test(key)) {
        throw new SqlFileError(name, index + 1, `"@${key}" is no key: keys are words of a to z and _`);
      }
      open = { key, values: [value.trim()], line: index + 1 };
      continue;
    }
    const more = line.slice(2).trim();
    if (more === '') close();
    else open?.values.push(more);
  }
  close();
  if (entries.length === 0) {
    throw new SqlFileError(name, 1, 'no header: a file begins with lines such as "-- @title …"');
  }
  return { name, header: new Header(name, entries), text };
}
