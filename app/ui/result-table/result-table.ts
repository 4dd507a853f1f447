import type { Cell, QueryResult } from '../../../shared/engine/index.ts';
import { messageOf } from '../../../shared/model/index.ts';
import { copyText, nextSorting, RowPool, type Sorting } from '../../../views/kit/index.ts';
import { tell } from '../link/notices.tsx';
import { ordered, Turns } from './order.ts';

/** What of a result is shown. */
export type ResultCells = Pick<QueryResult, 'columns' | 'rowCount' | 'cell'>;

/** How a result is shown. */
export interface ResultTableOptions {
  /** What a screen reader calls it. */
  readonly label: string;
  /** What a click or Enter on a cell would do, in words; null where it does nothing. */
  linkOf?(column: string): string | null;
  /** Called on a click or Enter on a cell that {@link linkOf} gave words for. */
  onCell?(row: number, column: number): void;
  /** Told when rows are looked through, and how many of them are shown then. */
  onOrder?(state: { readonly busy: boolean; readonly shown: number }): void;
}

/** A table that stands in the document. */
export interface ResultTable {
  /** Shows rows that have come since. */
  refresh(): void;
  /** The rows that are shown, as rows of the result, in their order; null where they are all rows in theirs. */
  order(): Uint32Array | null;
  destroy(): void;
}

const SAMPLE_ROWS = 200;
const CHARACTER_PX = 7.3;
const PADDING_PX = 34;
const NARROWEST_PX = 76;
const LONGEST_CHARACTERS = 48;
/** Copying more cells than this would hold the window. */
const COPIED_ROWS_MAX = 50_000;

let tableCount = 0;

/**
 * Draws a result of any length. A click on a heading sorts, a text below it filters; arrow keys move, with Shift they
 * choose rows, Ctrl or Command and C copies; Enter or a click on a cell with a link follows it.
 */
export function drawResultTable(
  parent: HTMLElement,
  result: ResultCells,
  options: ResultTableOptions,
): ResultTable {
  return new DrawnResult(parent, result, options);
}

class DrawnResult implements ResultTable {
  readonly #result: ResultCells;
  readonly #options: ResultTableOptions;
  readonly #id = `result-${++tableCount}`;
  readonly #grid: HTMLElement;
  readonly #headings: readonly HTMLElement[];
  readonly #pool: RowPool;
  /** The cell that keys act on; rows are chosen from the anchor to it. */
  readonly #cursor = { row: 0, column: 0, anchor: 0 };
  /** The rows that are shown; null where they are all. */
  #order: Uint32Array | null = null;
  #sorting: Sorting | null = null;
  /** What is typed over each column. */
  readonly #filters: string[];
  #abort = new AbortController();

  constructor(parent: HTMLElement, result: ResultCells, options: ResultTableOptions) {
    [this.#result, this.#options] = [result, options];
    this.#filters = result.columns.map(() => '');
    this.#grid = addGrid(parent, options.label, columnWidths(result));
    const top = element(this.#grid, 'div', 'heading');
    top.setAttribute('role', 'row');
    this.#headings = result.columns.map((name, column) => this.#addHeading(top, name, column));
    const body = element(this.#grid, 'div', 'rows');
    body.setAttribute('role', 'presentation');
    this.#pool = new RowPool(this.#grid, body, this.#id, (line, at) => this.#fill(line, at));
    body.addEventListener('click', (event) => this.#clicked(event));
    this.#grid.addEventListener('keydown', (event) => {
      if (event.target !== this.#grid || event.altKey || !this.#pressed(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.refresh();
  }

  refresh(): void {
    this.#grid.setAttribute('aria-rowcount', String(this.#count + 1));
    this.#pool.show(this.#count);
    this.#grid.setAttribute('aria-activedescendant', `${this.#id}-${this.#cursor.row}`);
  }

  order(): Uint32Array | null {
    return this.#order;
  }

  destroy(): void {
    this.#abort.abort();
    this.#pool.end();
    this.#grid.remove();
  }

  #addHeading(top: HTMLElement, name: string, column: number): HTMLElement {
    const cell = element(top, 'div', 'result-heading');
    cell.setAttribute('role', 'columnheader');
    const button = element(cell, 'button', 'text');
    button.setAttribute('type', 'button');
    button.textContent = name;
    button.title = this.#options.linkOf?.(name) ?? 'Sort';
    button.addEventListener('click', () => {
      this.#sorting = nextSorting(this.#sorting, column, true);
      void this.#arrange();
    });
    const input = element(cell, 'input', 'result-filter');
    input.type = 'search';
    input.placeholder = 'filter';
    input.setAttribute('aria-label', `Filter ${name}`);
    input.title = 'text within, or > 5, <= 5, = x, != x, null, !null';
    input.addEventListener('input', () => {
      this.#filters[column] = input.value;
      void this.#arrange();
    });
    return cell;
  }

  /** How many rows are shown. */
  get #count(): number {
    return this.#order?.length ?? this.#result.rowCount;
  }

  /** The row of the result that is shown at a place; undefined where none is. */
  #rowAt(at: number): number | undefined {
    const row = this.#order === null ? at : this.#order[at];
    return row === undefined || row >= this.#result.rowCount ? undefined : row;
  }

  /** The first and the last place that are chosen. */
  get #chosen(): readonly [number, number] {
    const { row, anchor } = this.#cursor;
    return [Math.min(row, anchor), Math.max(row, anchor)];
  }

  /** What following a cell would do, in words; null where it does nothing. */
  #linkOf(cell: Cell, column: string): string | null {
    return cell === null ? null : (this.#options.linkOf?.(column) ?? null);
  }

  /** Writes the row at a place into its line. */
  #fill(line: HTMLElement, at: number): void {
    const row = this.#rowAt(at);
    if (row === undefined) return;
    const [first, last] = this.#chosen;
    line.setAttribute('aria-rowindex', String(at + 2));
    line.setAttribute('aria-selected', String(first !== last && at >= first && at <= last));
    line.classList.toggle('cursor', at === this.#cursor.row);
    this.#result.columns.forEach((name, column) => {
      const cell = this.#result.cell(row, column);
      const span = (line.children[column] as HTMLElement | undefined) ?? element(line, 'span', '');
      span.setAttribute('role', 'gridcell');
      const link = this.#linkOf(cell, name);
      span.className = [
        typeof cell === 'string' ? 'text' : '',
        cell === null ? 'none' : '',
        link === null ? '' : 'link',
        at === this.#cursor.row && column === this.#cursor.column ? 'here' : '',
      ].join(' ');
      span.textContent = cellText(cell);
      span.title = link ?? (typeof cell === 'string' ? cell : '');
    });
  }

  #moveTo(row: number, column: number, keepAnchor: boolean): void {
    const cursor = this.#cursor;
    cursor.row = Math.max(0, Math.min(this.#count - 1, row));
    cursor.column = Math.max(0, Math.min(this.#result.columns.length - 1, column));
    if (!keepAnchor) cursor.anchor = cursor.row;
    this.#pool.reveal(cursor.row);
    this.refresh();
  }

  /** Follows the link of the cell at the cursor, if it has one. */
  #follow(): void {
    const { row: at, column } = this.#cursor;
    const row = this.#rowAt(at);
    const name = this.#result.columns[column];
    if (row === undefined || name === undefined) return;
    if (this.#linkOf(this.#result.cell(row, column), name) !== null) this.#options.onCell?.(row, column);
  }

  /** Filters and sorts the rows as the reader wants them now. */
  async #arrange(): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    showSorting(this.#headings, this.#sorting);
    this.#options.onOrder?.({ busy: true, shown: this.#count });
    try {
      const turns = new Turns(this.#abort.signal);
      this.#order = await ordered(this.#result, this.#sorting, this.#filters, turns);
      this.#options.onOrder?.({ busy: false, shown: this.#count });
      this.#moveTo(0, this.#cursor.column, false);
      this.#grid.scrollTop = 0;
    } catch (error) {
      if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    }
  }

  /** Copies the cell at the cursor, or the rows that are chosen. */
  #copy(): void {
    if (this.#count === 0) return;
    const [first, last] = this.#chosen;
    const text =
      first === last ? this.#copiedCell(first, this.#cursor.column) : this.#copiedRows(first, last);
    copyText(text).catch((error: unknown) => tell('Not copied', [messageOf(error)]));
  }

  #copiedRows(first: number, last: number): string {
    const lines = [this.#result.columns.join('\t')];
    for (let at = first; at <= Math.min(last, first + COPIED_ROWS_MAX); at++)
      lines.push(this.#result.columns.map((_, column) => this.#copiedCell(at, column)).join('\t'));
    return lines.join('\n');
  }

  #copiedCell(at: number, column: number): string {
    return copiedText(this.#result.cell(this.#rowAt(at) ?? 0, column));
  }

  #clicked({ target, shiftKey }: MouseEvent): void {
    const at = this.#pool.indexOf(target);
    if (at === null) return;
    this.#moveTo(at, this.#pool.columnOf(target) ?? 0, shiftKey);
    if (!shiftKey && String(getSelection()) === '') this.#follow();
  }

  /** Does what a key is for; whether it is for anything. */
  #pressed(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey) {
      if (event.code === 'KeyC') this.#copy();
      else if (event.code === 'KeyA') this.#chooseAll();
      else return false;
      return true;
    }
    const move = this.#moveOf(event.key);
    if (move !== undefined)
      this.#moveTo(this.#cursor.row + move[0], this.#cursor.column + move[1], event.shiftKey);
    else if (event.key === 'Enter') this.#follow();
    else return false;
    return true;
  }

  /** By how many rows and columns a key moves; undefined of a key that does not. */
  #moveOf(key: string): readonly [number, number] | undefined {
    const page = this.#pool.pageLength();
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      PageDown: [page, 0],
      PageUp: [-page, 0],
      Home: [-this.#count, 0],
      End: [this.#count, 0],
    };
    return moves[key];
  }

  #chooseAll(): void {
    this.#cursor.anchor = 0;
    this.#moveTo(this.#count - 1, this.#cursor.column, true);
  }
}

function addGrid(parent: HTMLElement, label: string, widths: readonly number[]): HTMLElement {
  const grid = element(parent, 'div', 'data-table result-table');
  grid.setAttribute('role', 'grid');
  grid.setAttribute('aria-label', label);
  grid.tabIndex = 0;
  grid.style.setProperty('--columns', widths.map((width) => `minmax(${width}px, ${width}fr)`).join(' '));
  const width_px = widths.reduce((sum, width) => sum + width, 0);
  for (const name of ['--least-width', '--whole-width']) grid.style.setProperty(name, `${width_px}px`);
  return grid;
}

function showSorting(headings: readonly HTMLElement[], sorting: Sorting | null): void {
  headings.forEach((heading, column) => {
    if (sorting?.column !== column) heading.removeAttribute('aria-sort');
    else heading.setAttribute('aria-sort', sorting.descending ? 'descending' : 'ascending');
  });
}

function columnWidths(result: ResultCells): readonly number[] {
  const sample = Math.min(SAMPLE_ROWS, result.rowCount);
  return result.columns.map((name, column) => {
    let longest = name.length + 1;
    for (let row = 0; row < sample; row++) {
      longest = Math.max(longest, cellText(result.cell(row, column)).length);
    }
    return Math.max(
      NARROWEST_PX,
      Math.ceil(Math.min(LONGEST_CHARACTERS, longest) * CHARACTER_PX + PADDING_PX),
    );
  });
}

/** A cell as it is, not rounded: what is read here is typed into the next query. */
function cellText(cell: Cell): string {
  if (cell === null) return 'null';
  return cell instanceof Uint8Array ? `${cell.length} bytes` : String(cell);
}

/** A cell for other programs: null is nothing. */
function copiedText(cell: Cell): string {
  return cell === null ? '' : cellText(cell);
}

function element<K extends keyof HTMLElementTagNameMap>(
  parent: HTMLElement,
  name: K,
  className: string,
): HTMLElementTagNameMap[K] {
  const made = parent.ownerDocument.createElement(name);
  made.className = className;
  return parent.appendChild(made);
}
