import * as d3 from 'd3';
import { formatCell } from '../../shared/model/index.ts';
import {
  type Mark,
  type Selection,
  type ViewTable,
  markLetter,
  type MarkedEvent,
} from '../../shared/view/index.ts';
import { widthOf } from './fitted.ts';
import { RowPool } from './row-pool.ts';
import { sortRows, type Sorting } from './sort-rows.ts';
import type { TimeContext } from './time-plot.ts';

/** How a table is shown. */
export interface TableOptions {
  /** Times count from here: the trace's start, in ns. */
  readonly origin_ns: number;
  /** By this name the table finds its reader's place again when the reader comes back to the view: sorting and scroll. */
  readonly name: string;
  /** The row that is chosen, by its index in the table's own order; where it follows the selection, a function of it. */
  readonly chosen?: number | null | ((selection: Selection) => number | null);
  /** With it rows that have a time can be marked, and the table follows the selection. */
  readonly context?: Pick<TimeContext, 'selection' | 'onSelection' | 'toggleMark'>;
  /** Called with the index of a row on click or Enter. Without it rows cannot be chosen. */
  onChoose?(row: number): void;
}

/** A table in a window. */
export interface DrawnTable {
  readonly element: HTMLElement;
  /** Shows other rows in its place: sorting, scroll, cursor and focus stay. */
  readonly update: (table: ViewTable, options: TableOptions) => void;
  readonly end: () => void;
}

/** Where the reader of a table was. */
interface Place {
  sorting: Sorting | null;
  scrollTop: number;
  scrollLeft: number;
  cursor: number;
}

const places = new Map<string, Place>();
let tableCount = 0;

/**
 * Draws a table of any length: only rows in sight are in the document. A click on a heading sorts; arrow keys, Page Up
 * and Down, Home and End move, from the first row up to the headings; Enter chooses or sorts; M or Shift + click marks
 * the time of a row.
 */
export function mountTable(parent: HTMLElement, first: ViewTable, firstOptions: TableOptions): DrawnTable {
  let [table, options] = [first, firstOptions];
  const place = places.get(options.name) ?? { sorting: null, scrollTop: 0, scrollLeft: 0, cursor: 0 };
  places.set(options.name, place);
  const id = `table-${++tableCount}`;
  let order = sortRows(table, place.sorting);
  const chosenIn = (selection: Selection | undefined) =>
    typeof options.chosen !== 'function'
      ? options.chosen
      : selection === undefined
        ? null
        : options.chosen(selection);
  let selected = options.context?.selection;
  let chosen = chosenIn(selected);
  let letters: ReadonlyMap<number, string> = new Map();

  const letterOf = (row: number) =>
    table.columns
      .map(({ kind }, index) =>
        kind === 'time_ns' ? letters.get(Number(table.rows[row]?.[index])) : undefined,
      )
      .find((letter) => letter !== undefined);

  const grid = d3.select(parent).append('div').attr('role', 'grid').attr('tabindex', 0);
  const scroller = grid.node() as HTMLElement;
  const headings = grid.append('div').attr('role', 'row').attr('class', 'heading');
  const showHeadings = () => {
    const widths = columnWidths(table, options.origin_ns);
    grid
      .attr('class', options.onChoose ? 'data-table chooses' : 'data-table')
      .attr('aria-label', table.title)
      .attr('aria-rowcount', table.rows.length + 1)
      .style('--columns', columnTracks(table, widths))
      .style('--least-width', `${d3.sum(widths, ({ least }) => least)}px`)
      .style('--whole-width', `${d3.sum(widths, ({ whole }) => whole)}px`);
    return headings
      .selectAll<HTMLButtonElement, ViewTable['columns'][number]>('button')
      .data(table.columns)
      .join('button')
      .attr('type', 'button')
      .attr('tabindex', -1)
      .attr('role', 'columnheader')
      .attr('class', classOf)
      .attr('title', ({ help }) => help)
      .text(({ title }) => title)
      .on('keydown', pressedOnHeading)
      .on('click', (_, column) => {
        place.sorting = nextSorting(place.sorting, table.columns.indexOf(column), column.kind !== 'text');
        order = sortRows(table, place.sorting);
        showSorting();
        moveTo(0);
      });
  };
  const body = grid.append('div').attr('class', 'rows').attr('role', 'presentation').node() as HTMLElement;

  const pool = new RowPool(scroller, body, id, (element, at) => {
    const row = order[at];
    if (row === undefined) return;
    element.setAttribute('aria-rowindex', String(at + 2));
    element.classList.toggle('cursor', at === place.cursor);
    element.setAttribute('aria-selected', String(row === chosen));
    showMark(element, letterOf(row));
    table.columns.forEach((column, index) => {
      const { kind } = column;
      const cell = table.rows[row]?.[index] ?? null;
      const span = element.children[index] ?? element.appendChild(document.createElement('span'));
      const text = formatCell(cell, kind, options.origin_ns);
      span.setAttribute('role', 'gridcell');
      span.className = cell === null ? `${classOf(column)} none` : classOf(column);
      span.textContent = text;
      if (kind === 'text') span.setAttribute('title', text);
      else span.removeAttribute('title');
    });
    while (element.children.length > table.columns.length) element.lastElementChild?.remove();
  });

  const showSorting = () =>
    heading.attr('aria-sort', (_, index) =>
      place.sorting?.column === index ? (place.sorting.descending ? 'descending' : 'ascending') : null,
    );
  const refresh = () => {
    pool.show(order.length);
    scroller.setAttribute('aria-activedescendant', `${id}-${place.cursor}`);
  };
  const moveTo = (at: number) => {
    place.cursor = Math.max(0, Math.min(order.length - 1, at));
    pool.reveal(place.cursor);
    refresh();
  };
  const choose = (at: number) => {
    const row = order[at];
    if (row !== undefined) options.onChoose?.(row);
  };

  const mark = (at: number, column: number | null) => {
    const row = order[at];
    const event = row === undefined ? null : eventOfRow(table, row, column);
    if (event !== null) options.context?.toggleMark?.(event);
  };

  function pressedOnHeading(event: KeyboardEvent, column: ViewTable['columns'][number]) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = table.columns.indexOf(column);
    if (event.key === 'ArrowLeft') focusHeading(index - 1);
    else if (event.key === 'ArrowRight') focusHeading(index + 1);
    else if (event.key === 'ArrowDown') scroller.focus({ preventScroll: true });
    else if (event.key !== 'Enter' && event.key !== ' ') return;
    // The two that press a button are left to it.
    if (event.key.startsWith('Arrow')) event.preventDefault();
    event.stopPropagation();
  }
  let heading = showHeadings();
  const focusHeading = (index: number) =>
    heading.nodes()[Math.max(0, Math.min(table.columns.length - 1, index))]?.focus();
  d3.select(body).on('click', (event: MouseEvent) => {
    const at = pool.indexOf(event.target);
    if (at === null) return;
    moveTo(at);
    if (event.shiftKey) mark(at, pool.columnOf(event.target));
    else choose(at);
  });
  grid.on('keydown', (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = pool.pageLength();
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: place.cursor + 1,
      ArrowUp: place.cursor - 1,
      PageDown: place.cursor + page,
      PageUp: place.cursor - page,
      Home: 0,
      End: order.length - 1,
    };
    const target = moves[event.key];
    if (event.key === 'ArrowUp' && place.cursor === 0) focusHeading(place.sorting?.column ?? 0);
    else if (target !== undefined) moveTo(target);
    else if (event.key === 'Enter') choose(place.cursor);
    else if (event.code === 'KeyM' && !event.shiftKey) mark(place.cursor, null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  grid.on('scroll', () => {
    place.scrollTop = scroller.scrollTop;
    place.scrollLeft = scroller.scrollLeft;
    refresh();
  });
  showSorting();
  const observer = new ResizeObserver(refresh);
  observer.observe(scroller);
  refresh();
  const unfollow = options.context?.onSelection?.((selection, marks: readonly Mark[]) => {
    selected = selection;
    chosen = chosenIn(selection);
    letters = new Map(marks.map((mark) => [mark.ts, markLetter(mark)]));
    refresh();
  });
  requestAnimationFrame(() => {
    if (!scroller.isConnected) return;
    scroller.scrollTop = place.scrollTop;
    scroller.scrollLeft = place.scrollLeft;
  });
  return {
    element: scroller,
    update: (next, nextOptions) => {
      [table, options] = [next, nextOptions];
      if ((place.sorting?.column ?? 0) >= table.columns.length) place.sorting = null;
      order = sortRows(table, place.sorting);
      chosen = chosenIn(selected);
      place.cursor = Math.max(0, Math.min(order.length - 1, place.cursor));
      heading = showHeadings();
      showSorting();
      refresh();
    },
    end: () => {
      observer.disconnect();
      unfollow?.();
      scroller.remove();
    },
  };
}

/** Draws a table that stays as it is; see {@link mountTable}. Returns what undoes it. */
export function drawTable(parent: HTMLElement, table: ViewTable, options: TableOptions): () => void {
  return mountTable(parent, table, options).end;
}

/** Shows a row's letter at its left, if its time is marked. */
function showMark(element: HTMLElement, letter: string | undefined): void {
  if (letter === undefined) {
    delete element.dataset.mark;
    element.removeAttribute('aria-description');
  } else {
    element.dataset.mark = letter;
    element.setAttribute('aria-description', `marked ${letter}`);
  }
}

/** A heading sorts by what matters first (numbers: largest), then the other way, then not at all. */
function nextSorting(sorting: Sorting | null, column: number, descendingFirst: boolean): Sorting | null {
  if (sorting?.column !== column) return { column, descending: descendingFirst };
  return sorting.descending === descendingFirst ? { column, descending: !descendingFirst } : null;
}

/** How a column's heading and cells look. */
const classOf = (column: ViewTable['columns'][number]) =>
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
function columnWidths(table: ViewTable, origin_ns: number): ColumnWidth[] {
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
    const character_px = kind === 'text' ? TEXT_CHARACTER_PX : NUMBER_CHARACTER_PX;
    const widthFor = (characters: number) =>
      Math.ceil(Math.max(heading_px, characters * character_px) + PADDING_PX);
    const least = kind === 'text' && index > 0 ? Math.min(longest, LEAST_CHARACTERS) : longest;
    return { whole: widthFor(longest), least: widthFor(least) };
  });
}

/** The columns as CSS grid tracks: none is narrower than it must be, and columns of text share what room is left. */
function columnTracks(table: ViewTable, widths: readonly ColumnWidth[]): string {
  return widths
    .map(({ whole, least }, index) => {
      const column = table.columns[index];
      const grows = column?.kind === 'text' && !isSign(column);
      return grows ? `minmax(${least}px, ${whole}fr)` : `${whole}px`;
    })
    .join(' ');
}

/**
 * What a row of a table is marked as: the time in `column` if that holds one, else the row's first time; named by the
 * row's first text and the column's title. Null for a row without a time.
 */
function eventOfRow(table: ViewTable, row: number, column: number | null): MarkedEvent | null {
  const cells = table.rows[row] ?? [];
  const isTime = (index: number) =>
    table.columns[index]?.kind === 'time_ns' && typeof cells[index] === 'number';
  const at =
    column !== null && isTime(column) ? column : table.columns.findIndex((_, index) => isTime(index));
  const ts = cells[at];
  if (typeof ts !== 'number') return null;
  const what = table.columns.findIndex(
    ({ kind }, index) => kind === 'text' && typeof cells[index] === 'string' && cells[index] !== '',
  );
  const name = cells[what];
  return { ts, label: `${typeof name === 'string' ? name : table.title}: ${table.columns[at]?.title ?? ''}` };
}
