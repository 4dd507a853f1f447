import type { Cell } from '../../shared/engine/index.ts';
import type { ViewColumn, ViewTable } from '../../shared/view/index.ts';
import type { Answer, NextCall } from './answer.ts';
import { MARK_NOTE, marked, markedSentence, stripped } from './mark.ts';

/** The version of the JSON (docs/formats.md). */
export const VERSION = 1;

export type WrittenCell = number | string | null;

/** A table in an answer: each row has its cells in the order of `columns`. */
export interface WrittenTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly WrittenCell[])[];
  /** How many rows are not listed, and what their figures sum to; absent where all are listed. */
  readonly rest?: { readonly rows: number; readonly sums: Readonly<Record<string, number>> };
}

/** An answer as JSON holds it. */
export interface Written<T = WrittenTable> {
  readonly version: number;
  readonly tool: string;
  readonly note: string;
  readonly trace?: string;
  readonly says: readonly string[];
  readonly tables: readonly T[];
  readonly left_out: readonly string[];
  readonly evidence: readonly string[];
  readonly not_concluded: readonly string[];
  readonly not_recorded: readonly string[];
  readonly next: readonly NextCall[];
  readonly link?: string;
}

/** An answer with its texts marked, whose tables are not yet cut. */
export function write(tool: string, trace: string, answer: Answer, link: string | null): Written<ViewTable> {
  const {
    says,
    tables,
    left_out = [],
    evidence = [],
    not_concluded = [],
    not_recorded = [],
    next = [],
  } = answer;
  return {
    version: VERSION,
    tool,
    note: MARK_NOTE,
    ...(trace !== '' && { trace: marked(trace) }),
    says: says.map(markedSentence),
    tables,
    left_out: left_out.map(markedSentence),
    evidence: evidence.map(markedSentence),
    not_concluded,
    not_recorded: not_recorded.map(markedSentence),
    next,
    ...(link !== null && { link }),
  };
}

/** The first `most` rows of a table, and what the others sum to. */
export function writeTable({ title, columns, rows }: ViewTable, most: number): WrittenTable {
  const written = {
    title: stripped(title),
    columns: columns.map(columnWords),
    rows: rows.slice(0, most).map((row) => columns.map((_, at) => writeCell(row[at] ?? null))),
  };
  if (rows.length <= most) return written;
  const rest = rows.slice(most);
  const sums = columns.flatMap((column, at): [string, number][] =>
    isSummed(column) ? [[columnWords(column), rest.reduce((sum, row) => sum + Number(row[at] ?? 0), 0)]] : [],
  );
  return { ...written, rest: { rows: rest.length, sums: Object.fromEntries(sums) } };
}

const UNITS: Partial<Record<ViewColumn['kind'], string>> = {
  duration_ns: 'ns',
  time_ns: 'ns',
  bytes: 'bytes',
};

function columnWords({ name, kind }: ViewColumn): string {
  const unit = UNITS[kind];
  return unit === undefined || name === unit || name.endsWith(`_${unit}`)
    ? stripped(name)
    : `${stripped(name)} (${unit})`;
}

/** Figures of rows that do not add up, by their names and what is said of them. */
const NO_SUM =
  /longest|shortest|max|min|mean|average|median|p\d\d|per_|first|last|quantile|typical|below|^(?:from|to|start|end|low|high)_/i;

function isSummed({ name, kind, help }: ViewColumn): boolean {
  const adds = kind === 'duration_ns' || kind === 'bytes';
  return adds && !NO_SUM.test(name) && !/\b(?:mean|average|median)\b/i.test(help);
}

/** Ids, handles and sides of a comparison, which need no marks. */
const HARMLESS = /^(?:(?:[wtf]-)?\d{0,20}|[AB])$/;

/** A number with no more digits than tell something; a text marked. */
function writeCell(cell: Cell): WrittenCell {
  if (cell === null) return null;
  if (typeof cell === 'bigint') return cell.toString();
  if (cell instanceof Uint8Array) return `${cell.length} bytes`;
  if (typeof cell === 'string') return HARMLESS.test(cell) ? cell : marked(cell);
  if (Number.isInteger(cell)) return cell;
  return Number.isFinite(cell) ? Number(cell.toPrecision(6)) : null;
}
