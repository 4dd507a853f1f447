import type { Cell, QueryResult } from '../../../shared/engine/index.ts';
import { messageOf } from '../../../shared/model/index.ts';
import { copyText, RowPool } from '../../../views/kit/index.ts';
import { tell } from '../link/notices.tsx';
import { parseFilter } from './filter.ts';
import { compareCells, filterRows, sortRows, Turns } from './order.ts';

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

interface Sorting {
  readonly column: number;
  readonly descending: boolean;
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
  const id = `result-${++tableCount}`;
  const cursor = { row: 0, column: 0, anchor: 0 };
  let order: Uint32Array | null = null;
  let sorting: Sorting | null = null;
  let filters: readonly string[] = [];
  let abort = new AbortController();

  const grid = element(parent, 'div', 'data-table result-table');
  const widths = columnWidths(result);
  grid.setAttribute('role', 'grid');
  grid.setAttribute('aria-label', options.label);
  grid.tabIndex = 0;
  grid.style.setProperty('--columns', widths.map((width) => `minmax(${width}px, ${width}fr)`).join(' '));
  const width_px = widths.reduce((sum, width) => sum + width, 0);
  for (const name of ['--least-width', '--whole-width']) grid.style.setProperty(name, `${width_px}px`);
  const top = element(grid, 'div', 'heading');
  top.setAttribute('role', 'row');
  const headings = result.columns.map((name, column) => {
    const cell = element(top, 'div', 'result-heading');
    cell.setAttribute('role', 'columnheader');
    const button = element(cell, 'button', 'text');
    button.setAttribute('type', 'button');
    button.textContent = name;
    button.title = options.linkOf?.(name) ?? 'Sort';
    button.addEventListener('click', () => {
      sorting = nextSorting(sorting, column);
      void arrange();
    });
    const input = element(cell, 'input', 'result-filter') as HTMLInputElement;
    input.type = 'search';
    input.placeholder = 'filter';
    input.setAttribute('aria-label', `Filter ${name}`);
    input.title = 'text within, or > 5, <= 5, = x, != x, null, !null';
    input.addEventListener('input', () => {
      filters = result.columns.map((_, at) => (at === column ? input.value : (filters[at] ?? '')));
      void arrange();
    });
    return cell;
  });
  const body = element(grid, 'div', 'rows');
  body.setAttribute('role', 'presentation');

  const count = () => order?.length ?? result.rowCount;
  const rowAt = (at: number) => (order === null ? at : order[at]);
  const isChosen = (at: number) =>
    at >= Math.min(cursor.row, cursor.anchor) && at <= Math.max(cursor.row, cursor.anchor);
  const pool = new RowPool(grid, body, id, (line, at) => {
    const row = rowAt(at);
    if (row === undefined || row >= result.rowCount) return;
    line.setAttribute('aria-rowindex', String(at + 2));
    line.setAttribute('aria-selected', String(cursor.row !== cursor.anchor && isChosen(at)));
    line.classList.toggle('cursor', at === cursor.row);
    result.columns.forEach((name, column) => {
      const cell = result.cell(row, column);
      const span = (line.children[column] as HTMLElement | undefined) ?? element(line, 'span', '');
      span.setAttribute('role', 'gridcell');
      const link = cell === null ? null : (options.linkOf?.(name) ?? null);
      span.className = [
        typeof cell === 'string' ? 'text' : '',
        cell === null ? 'none' : '',
        link === null ? '' : 'link',
        at === cursor.row && column === cursor.column ? 'here' : '',
      ].join(' ');
      span.textContent = cellText(cell);
      span.title = link ?? (typeof cell === 'string' ? cell : '');
    });
  });

  const refresh = () => {
    grid.setAttribute('aria-rowcount', String(count() + 1));
    pool.show(count());
    grid.setAttribute('aria-activedescendant', `${id}-${cursor.row}`);
  };
  const moveTo = (row: number, column: number, keepAnchor: boolean) => {
    cursor.row = Math.max(0, Math.min(count() - 1, row));
    cursor.column = Math.max(0, Math.min(result.columns.length - 1, column));
    if (!keepAnchor) cursor.anchor = cursor.row;
    pool.reveal(cursor.row);
    refresh();
  };
  const follow = () => {
    const row = rowAt(cursor.row);
    const name = result.columns[cursor.column];
    if (row === undefined || name === undefined || row >= result.rowCount) return;
    if (result.cell(row, cursor.column) !== null && (options.linkOf?.(name) ?? null) !== null) {
      options.onCell?.(row, cursor.column);
    }
  };

  async function arrange(): Promise<void> {
    abort.abort();
    abort = new AbortController();
    showSorting(headings, sorting);
    options.onOrder?.({ busy: true, shown: count() });
    try {
      order = await ordered(result, sorting, filters, new Turns(abort.signal));
      options.onOrder?.({ busy: false, shown: count() });
      moveTo(0, cursor.column, false);
      grid.scrollTop = 0;
    } catch (error) {
      if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    }
  }

  const copy = () => {
    const [first, last] = [Math.min(cursor.row, cursor.anchor), Math.max(cursor.row, cursor.anchor)];
    if (count() === 0) return;
    const lines: string[] = [];
    if (first === last) {
      lines.push(copiedText(result.cell(rowAt(first) ?? 0, cursor.column)));
    } else {
      lines.push(result.columns.join('\t'));
      for (let at = first; at <= Math.min(last, first + COPIED_ROWS_MAX); at++) {
        const row = rowAt(at) ?? 0;
        lines.push(result.columns.map((_, column) => copiedText(result.cell(row, column))).join('\t'));
      }
    }
    copyText(lines.join('\n')).catch((error: unknown) => tell('Not copied', [messageOf(error)]));
  };

  body.addEventListener('click', (event) => {
    const at = pool.indexOf(event.target);
    if (at === null) return;
    moveTo(at, pool.columnOf(event.target) ?? 0, event.shiftKey);
    if (!event.shiftKey && String(getSelection()) === '') follow();
  });
  grid.addEventListener('keydown', (event) => {
    if (event.target !== grid || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.code === 'KeyC') copy();
      else if (event.code === 'KeyA') {
        cursor.anchor = 0;
        moveTo(count() - 1, cursor.column, true);
      } else return;
    } else {
      const page = pool.pageLength();
      const moves: Readonly<Record<string, readonly [number, number]>> = {
        ArrowDown: [1, 0],
        ArrowUp: [-1, 0],
        ArrowLeft: [0, -1],
        ArrowRight: [0, 1],
        PageDown: [page, 0],
        PageUp: [-page, 0],
        Home: [-count(), 0],
        End: [count(), 0],
      };
      const move = moves[event.key];
      if (move !== undefined) moveTo(cursor.row + move[0], cursor.column + move[1], event.shiftKey);
      else if (event.key === 'Enter') follow();
      else return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  grid.addEventListener('scroll', refresh);
  const observer = new ResizeObserver(refresh);
  observer.observe(grid);
  refresh();

  return {
    refresh,
    order: () => order,
    destroy() {
      abort.abort();
      observer.disconnect();
      grid.remove();
    },
  };
}

/** The rows that pass the filters, sorted; null for all of them as they are. */
async function ordered(
  result: ResultCells,
  sorting: Sorting | null,
  filters: readonly string[],
  turns: Turns,
): Promise<Uint32Array | null> {
  const tests = filters.flatMap((typed, column) => {
    const test = parseFilter(typed);
    return test === null ? [] : [(row: number) => test(result.cell(row, column))];
  });
  if (sorting === null && tests.length === 0) return null;
  const rows = await filterRows(result.rowCount, (row) => tests.every((test) => test(row)), turns);
  if (sorting === null) return rows;
  const { column, descending } = sorting;
  const compare = (a: number, b: number) =>
    compareCells(result.cell(a, column), result.cell(b, column), descending);
  return sortRows(rows, compare, turns);
}

/** A heading sorts from the largest, then from the smallest, then not at all. */
function nextSorting(sorting: Sorting | null, column: number): Sorting | null {
  if (sorting?.column !== column) return { column, descending: true };
  return sorting.descending ? { column, descending: false } : null;
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

function element(parent: HTMLElement, name: string, className: string): HTMLElement {
  const made = parent.ownerDocument.createElement(name);
  made.className = className;
  return parent.appendChild(made);
}
