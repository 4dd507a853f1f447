import { formatCell } from '../../shared/model/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { widthOf } from './fitted.ts';

/** How a column's heading and cells look. */
export const classOf = (column: ViewTable['columns'][number]) =>
  isSign(column) ? `${column.kind} sign` : column.kind;

/** How wide a column is, in px. */
interface ColumnWidth {
  /** So that its heading and most of its cells are whole. */
  readonly whole: number;
  /** At least: texts are cut before the table has to be scrolled. */
  readonly least: number;
}

/** A column without a title holds signs of the column after it. */
const isSign = ({ title }: ViewTable['columns'][number]) => title === '';

/** How wide the columns are, from their headings and a sample of their cells. */
export function columnWidths(table: ViewTable, origin_ns: number): ColumnWidth[] {
  const SAMPLE_ROWS = 200;
  const HEADING_CHARACTER_PX = 6.2;
  /** Digits are wider than most letters. */
  const [TEXT_CHARACTER_PX, NUMBER_CHARACTER_PX] = [6.8, 7.2];
  const PADDING_PX = 24;
  const SORT_MARK_PX = 10;
  /** A lone sign such as ≥ is wider than a digit. */
  const SIGN_PX = 14;
  const LONGEST_CHARACTERS = 32;
  /** A column that cuts texts anyway leaves room to the others, but for the first, which tells rows apart. */
  const CUT_CHARACTERS = 20;
  const LEAST_CHARACTERS = 12;
  const sample = table.rows.slice(0, SAMPLE_ROWS);
  return table.columns.map((column, index) => {
    const { title, kind } = column;
    const cells = sample.map((row) => widthOf(formatCell(row[index] ?? null, kind, origin_ns)));
    const most = Math.max(0, ...cells);
    if (isSign(column)) {
      const width = most === 0 ? 0 : Math.max(SIGN_PX, most * NUMBER_CHARACTER_PX);
      return { whole: width, least: width };
    }
    const cut = index === 0 ? LONGEST_CHARACTERS : CUT_CHARACTERS;
    const longest = most > LONGEST_CHARACTERS ? cut : most;
    const heading_px = title.length * HEADING_CHARACTER_PX + SORT_MARK_PX;
    const isOfNumbers = kind !== 'text' || sample.every((row) => /^\d*$/.test(String(row[index] ?? '')));
    const character_px = isOfNumbers ? NUMBER_CHARACTER_PX : TEXT_CHARACTER_PX;
    const widthFor = (characters: number) =>
      Math.ceil(Math.max(heading_px, characters * character_px) + PADDING_PX);
    const least = kind === 'text' && index > 0 ? Math.min(longest, LEAST_CHARACTERS) : longest;
    return { whole: widthFor(longest), least: widthFor(least) };
  });
}

/** The columns as CSS grid tracks: none is narrower than it must be, and columns of text share what room is left. */
export function columnTracks(table: ViewTable, widths: readonly ColumnWidth[]): string {
  return widths
    .map(({ whole, least }, index) => {
      const column = table.columns[index];
      const grows = column?.kind === 'text' && !isSign(column);
      return grows ? `minmax(${least}px, ${whole}fr)` : `${whole}px`;
    })
    .join(' ');
}
