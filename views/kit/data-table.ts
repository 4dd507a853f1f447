import * as d3 from 'd3';
import { formatCell } from '../../shared/model/index.ts';
import { markLetter, type Mark, type Selection, type ViewTable } from '../../shared/view/index.ts';
import { classOf, columnTracks, columnWidths } from './column-widths.ts';
import { eventOfRow, letterOfRow, showMark } from './row-marks.ts';
import { RowPool } from './row-pool.ts';
import { nextSorting, sortRows, type Sorting } from './sort-rows.ts';
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

type Column = ViewTable['columns'][number];

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

/** How far the arrows scroll a table that is wider than its place. */
const SIDEWAYS_PX: Readonly<Record<string, number>> = { ArrowLeft: -96, ArrowRight: 96 };

const places = new Map<string, Place>();
let tableCount = 0;

/**
 * Draws a table of any length: only rows in sight are in the document. A click on a heading sorts; arrow keys, Page Up
 * and Down, Home and End move, from the first row up to the headings; arrows to the sides scroll; Enter chooses or sorts;
 * M or Shift + click marks the time of a row.
 */
export function mountTable(parent: HTMLElement, table: ViewTable, options: TableOptions): DrawnTable {
  return new MountedTable(parent, table, options);
}

/** Draws a table that stays as it is; see {@link mountTable}. Returns what undoes it. */
export function drawTable(parent: HTMLElement, table: ViewTable, options: TableOptions): () => void {
  return mountTable(parent, table, options).end;
}

class MountedTable implements DrawnTable {
  readonly element: HTMLElement;
  readonly #id = `table-${++tableCount}`;
  readonly #headings: HTMLElement;
  readonly #pool: RowPool;
  readonly #place: Place;
  readonly #unfollow: (() => void) | undefined;
  #table: ViewTable;
  #options: TableOptions;
  /** The rows of the table as they are sorted. */
  #order: readonly number[] = [];
  #selection: Selection | undefined;
  #chosen: number | null | undefined;
  /** The letters of marks, by time. */
  #letters: ReadonlyMap<number, string> = new Map();

  constructor(parent: HTMLElement, table: ViewTable, options: TableOptions) {
    [this.#table, this.#options, this.#selection] = [table, options, options.context?.selection];
    this.#place = placeOf(options.name);
    this.element = addDiv(parent, 'grid');
    this.element.tabIndex = 0;
    this.#headings = addDiv(this.element, 'row', 'heading');
    const body = addDiv(this.element, 'presentation', 'rows');
    this.#pool = new RowPool(this.element, body, this.#id, (row, at) => this.#fill(row, at));
    body.addEventListener('click', (event) => this.#clicked(event));
    this.element.addEventListener('keydown', (event) => this.#pressed(event));
    this.element.addEventListener('scroll', () => this.#scrolled());
    this.#show();
    this.#unfollow = options.context?.onSelection?.((selection, marks) => this.#follow(selection, marks));
    requestAnimationFrame(() => this.#scrollBack());
  }

  readonly update = (table: ViewTable, options: TableOptions): void => {
    [this.#table, this.#options] = [table, options];
    const place = this.#place;
    if ((place.sorting?.column ?? 0) >= table.columns.length) place.sorting = null;
    place.cursor = this.#nearestRow(place.cursor);
    this.#show();
  };

  readonly end = (): void => {
    this.#pool.end();
    this.#unfollow?.();
    this.element.remove();
  };

  #show(): void {
    this.#choose();
    this.#showHeadings();
    this.#sort();
    this.#refresh();
  }

  /** Finds the row that is chosen. */
  #choose(): void {
    const { chosen } = this.#options;
    if (typeof chosen !== 'function') this.#chosen = chosen;
    else this.#chosen = this.#selection === undefined ? null : chosen(this.#selection);
  }

  #showHeadings(): void {
    const { columns, rows, title } = this.#table;
    const widths = columnWidths(this.#table, this.#options.origin_ns);
    d3.select(this.element)
      .attr('class', this.#options.onChoose ? 'data-table chooses' : 'data-table')
      .attr('aria-label', title)
      .attr('aria-rowcount', rows.length + 1)
      .style('--columns', columnTracks(this.#table, widths))
      .style('--least-width', `${d3.sum(widths, ({ least }) => least)}px`)
      .style('--whole-width', `${d3.sum(widths, ({ whole }) => whole)}px`);
    d3.select(this.#headings)
      .selectAll<HTMLButtonElement, Column>('button')
      .data(columns)
      .join('button')
      .attr('type', 'button')
      .attr('tabindex', -1)
      .attr('role', 'columnheader')
      .attr('class', classOf)
      .attr('title', ({ help }) => help)
      .text(({ title }) => title)
      .on('keydown', (event: KeyboardEvent, column) => this.#pressedOnHeading(event, columns.indexOf(column)))
      .on('click', (_, column) => this.#sortBy(column));
  }

  /** Sorts the rows as the reader wants them, and says so at the heading. */
  #sort(): void {
    const { sorting } = this.#place;
    this.#order = sortRows(this.#table, sorting);
    d3.select(this.#headings)
      .selectAll('button')
      .attr('aria-sort', (_, index) =>
        sorting?.column === index ? (sorting.descending ? 'descending' : 'ascending') : null,
      );
  }

  #sortBy(column: Column): void {
    const index = this.#table.columns.indexOf(column);
    this.#place.sorting = nextSorting(this.#place.sorting, index, column.kind !== 'text');
    this.#sort();
    this.#moveTo(0);
  }

  #refresh(): void {
    this.#pool.show(this.#order.length);
    this.element.setAttribute('aria-activedescendant', `${this.#id}-${this.#place.cursor}`);
  }

  /** Writes a row of the order into its element. */
  #fill(element: HTMLElement, at: number): void {
    const row = this.#order[at];
    if (row === undefined) return;
    const { columns, rows } = this.#table;
    element.setAttribute('aria-rowindex', String(at + 2));
    element.classList.toggle('cursor', at === this.#place.cursor);
    element.setAttribute('aria-selected', String(row === this.#chosen));
    showMark(element, letterOfRow(this.#table, row, this.#letters));
    columns.forEach((column, index) => {
      const { kind } = column;
      const cell = rows[row]?.[index] ?? null;
      const span = element.children[index] ?? addCell(element);
      const text = formatCell(cell, kind, this.#options.origin_ns);
      const className = cell === null ? `${classOf(column)} none` : classOf(column);
      // What stays as it is costs nothing then, and a text that changes in its place less than a new one.
      if (span.className !== className) span.className = className;
      if (span.firstChild !== null && span.textContent !== text) span.firstChild.nodeValue = text;
      if (kind === 'text') span.setAttribute('title', text);
      else span.removeAttribute('title');
    });
    while (element.children.length > columns.length) element.lastElementChild?.remove();
  }

  #nearestRow(at: number): number {
    return Math.max(0, Math.min(this.#table.rows.length - 1, at));
  }

  #moveTo(at: number): void {
    this.#place.cursor = this.#nearestRow(at);
    this.#pool.reveal(this.#place.cursor);
    this.#refresh();
  }

  #chooseRow(at: number): void {
    const row = this.#order[at];
    if (row !== undefined) this.#options.onChoose?.(row);
  }

  #markRow(at: number, column: number | null): void {
    const row = this.#order[at];
    const event = row === undefined ? null : eventOfRow(this.#table, row, column);
    if (event !== null) this.#options.context?.toggleMark?.(event);
  }

  #clicked({ target, shiftKey }: MouseEvent): void {
    const at = this.#pool.indexOf(target);
    if (at === null) return;
    this.#moveTo(at);
    if (shiftKey) this.#markRow(at, this.#pool.columnOf(target));
    else this.#chooseRow(at);
  }

  #pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { cursor, sorting } = this.#place;
    const page = this.#pool.pageLength();
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: cursor + 1,
      ArrowUp: cursor - 1,
      PageDown: cursor + page,
      PageUp: cursor - page,
      Home: 0,
      End: this.#order.length - 1,
    };
    const target = moves[event.key];
    if (event.key === 'ArrowUp' && cursor === 0) this.#focusHeading(sorting?.column ?? 0);
    else if (target !== undefined) this.#moveTo(target);
    else if (event.key in SIDEWAYS_PX && this.element.scrollWidth > this.element.clientWidth)
      this.element.scrollLeft += SIDEWAYS_PX[event.key] ?? 0;
    else if (event.key === 'Enter') this.#chooseRow(cursor);
    else if (event.code === 'KeyM' && !event.shiftKey) this.#markRow(cursor, null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #pressedOnHeading(event: KeyboardEvent, index: number): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowLeft') this.#focusHeading(index - 1);
    else if (event.key === 'ArrowRight') this.#focusHeading(index + 1);
    else if (event.key === 'ArrowDown') this.element.focus({ preventScroll: true });
    else if (event.key !== 'Enter' && event.key !== ' ') return;
    // The two that press a button are left to it.
    if (event.key.startsWith('Arrow')) event.preventDefault();
    event.stopPropagation();
  }

  #focusHeading(index: number): void {
    const buttons = this.#headings.querySelectorAll('button');
    buttons[Math.max(0, Math.min(buttons.length - 1, index))]?.focus();
  }

  #follow(selection: Selection, marks: readonly Mark[]): void {
    this.#selection = selection;
    this.#letters = new Map(marks.map((mark) => [mark.ts, markLetter(mark)]));
    this.#choose();
    this.#refresh();
  }

  #scrolled(): void {
    this.#place.scrollTop = this.element.scrollTop;
    this.#place.scrollLeft = this.element.scrollLeft;
  }

  /** Scrolls to where the reader was. */
  #scrollBack(): void {
    if (!this.element.isConnected) return;
    this.element.scrollTop = this.#place.scrollTop;
    this.element.scrollLeft = this.#place.scrollLeft;
  }
}

/** Where the reader of a table is, to be found again by its name. */
function placeOf(name: string): Place {
  const place = places.get(name) ?? { sorting: null, scrollTop: 0, scrollLeft: 0, cursor: 0 };
  places.set(name, place);
  return place;
}

function addCell(row: HTMLElement): HTMLElement {
  const cell = row.appendChild(row.ownerDocument.createElement('span'));
  cell.setAttribute('role', 'gridcell');
  cell.append('');
  return cell;
}

function addDiv(parent: HTMLElement, role: string, className = ''): HTMLElement {
  const div = parent.appendChild(parent.ownerDocument.createElement('div'));
  div.setAttribute('role', role);
  div.className = className;
  return div;
}
