import type { ViewTable } from '../../shared/view/index.ts';
import { writeTable, type Written } from './write.ts';

/** The size of an answer, in bytes of UTF-8: by default, and the bounds of what may be asked for. */
export const SIZE_BYTES = { usual: 8192, least: 2048, most: 262_144 } as const;

/** What is left out where an answer is too long to list a few rows, the least telling first. */
const SPARE = ['evidence', 'not_concluded', 'next', 'not_recorded', 'left_out', 'tables'] as const;
/** So many rows of each table stand for more than what is left out for them. */
const FEW = 3;

const encoder = new TextEncoder();

/**
 * An answer as JSON of at most `size_bytes`. Of each table at most `top` rows are listed, and all tables lose rows alike until it fits:
 * `rest` of a table says what is not listed. Where that is not enough, whole lists are left out, and `left_out` names them.
 */
export function bounded(draft: Written<ViewTable>, size_bytes: number, top = Infinity): string {
  const longest = Math.max(0, ...draft.tables.map(({ rows }) => rows.length));
  // A row takes two bytes at least.
  const most = Math.min(longest, top, size_bytes);
  const fitting = withoutLists(draft).map((left) => fitRows(left, size_bytes, most));
  const few = fitting.find(({ rows }) => rows >= Math.min(most, FEW));
  return (few ?? fitting.find(({ rows }) => rows >= 0))?.text ?? shortest(draft);
}

/** The answer, and what is left of it as one list after the other is left out. */
function withoutLists(draft: Written<ViewTable>): readonly Written<ViewTable>[] {
  const gone: string[] = [];
  let left = draft;
  const drafts = [draft];
  for (const name of SPARE) {
    if (draft[name].length === 0) continue;
    gone.push(name);
    left = { ...left, [name]: [] };
    drafts.push({ ...left, left_out: [...left.left_out, tooLong(gone)] });
  }
  return drafts;
}

/** The answer with as many rows as fit, up to `most`; -1 where it does not fit without a row. */
function fitRows(
  draft: Written<ViewTable>,
  size_bytes: number,
  most: number,
): { readonly rows: number; readonly text: string } {
  let best = { rows: -1, text: '' };
  let tooMany = most + 1;
  while (tooMany - best.rows > 1) {
    const rows = Math.floor((best.rows + tooMany) / 2);
    const text = JSON.stringify({ ...draft, tables: draft.tables.map((table) => writeTable(table, rows)) });
    if (encoder.encode(text).length <= size_bytes) best = { rows, text };
    else tooMany = rows;
  }
  return best;
}

/** The beginning of what the answer says. */
function shortest({ version, tool, note, says }: Written<ViewTable>): string {
  const begin = says.slice(0, 1).map((sentence) => `${Array.from(sentence).slice(0, 200).join('')}…»`);
  return JSON.stringify({ version, tool, note, says: begin, left_out: [tooLong([...SPARE, 'link'])] });
}

function tooLong(names: readonly string[]): string {
  return `the answer is too long for ${names.join(', ')}: ask for a larger max_bytes`;
}
