// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import type { MarkedEvent, ParamSpecs, Selection, ViewContext, ViewTable } from '../../shared/view/index.ts';
import { drawTable } from './data-table.ts';

const table: ViewTable = {
  title: 'Waits',
  columns: [
    { name: 'process', title: 'Process', help: 'Who waited.', kind: 'text' },
    { name: 'ready_ns', title: 'Ready', help: 'How long.', kind: 'duration_ns' },
  ],
  rows: [
    ['svchost.exe', 2_000],
    ['<img src=x onerror=alert(1)>', 30_000],
    ['LockApp.exe', null],
  ],
};

afterEach(() => document.body.replaceChildren());

/** Draws the table, and gives what a reader of it sees and does. */
function draw(name: string, onChoose?: (row: number) => void) {
  drawTable(document.body, table, { origin_ns: 0, name, ...(onChoose && { onChoose }) });
  const grid = document.body.lastElementChild as HTMLElement;
  // Without layout every element is at the top: the rows' own places tell their order.
  const rows = () =>
    [...grid.querySelectorAll<HTMLElement>('.row:not([hidden])')].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    );
  const press = (key: string) => grid.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  const heading = (at: number) => grid.querySelectorAll<HTMLElement>('.heading button')[at];
  return { grid, rows, press, heading };
}

test('cells are text, by the kind of their column; trace text never becomes markup', () => {
  const { grid, rows } = draw('text');
  expect(rows()).toEqual([
    ['svchost.exe', '2.00 µs'],
    ['<img src=x onerror=alert(1)>', '30.0 µs'],
    ['LockApp.exe', '–'],
  ]);
  expect(grid.querySelector('img')).toBeNull();
  expect(grid.getAttribute('aria-rowcount')).toBe('4');
});

test('a heading sorts numbers by the largest first, then the other way, then not', () => {
  const { rows, heading } = draw('sort');
  const first = () => {
    heading(1)?.click();
    return [heading(1)?.getAttribute('aria-sort'), rows()[0]?.[1]];
  };
  expect([first(), first(), first()]).toEqual([
    ['descending', '30.0 µs'],
    ['ascending', '2.00 µs'],
    [null, '2.00 µs'],
  ]);
});

test('the arrows to the sides bring columns that are cut into sight; where none is, they are left to others', () => {
  const { grid } = draw('sides');
  const others: string[] = [];
  document.body.addEventListener('keydown', ({ key }) => others.push(key));
  const press = (key: string) =>
    grid.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  press('ArrowRight');
  expect([grid.scrollLeft, others]).toEqual([0, ['ArrowRight']]);
  Object.defineProperties(grid, { scrollWidth: { value: 900 }, clientWidth: { value: 500 } });
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft']) press(key);
  expect([grid.scrollLeft, others]).toEqual([96, ['ArrowRight']]);
});

test('arrow keys move, Enter and a click choose; the row is told by its place in the table', () => {
  const chosen: number[] = [];
  const { grid, press, heading } = draw('choose', (row) => chosen.push(row));
  heading(1)?.click();
  press('Enter');
  press('ArrowDown');
  press('Enter');
  press('End');
  press('Enter');
  grid.querySelector<HTMLElement>('.row span')?.click();
  expect(chosen).toEqual([1, 0, 2, 1]);
});

test('up from the first row are the headings: arrow keys move along them, and a heading takes Enter for itself', () => {
  const chosen: number[] = [];
  const { grid, press, heading } = draw('headings', (row) => chosen.push(row));
  const pressOn = (key: string) =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    );
  press('ArrowUp');
  expect(document.activeElement).toBe(heading(0));
  expect(pressOn('ArrowRight')).toBe(false);
  expect(document.activeElement).toBe(heading(1));
  // Left to the browser, which presses the button.
  expect(pressOn('Enter')).toBe(true);
  expect(chosen).toEqual([]);
  pressOn('ArrowDown');
  expect(document.activeElement).toBe(grid);
});

test('drawn anew under the same name, a table is sorted as it was', () => {
  draw('again').heading(0)?.click();
  document.body.replaceChildren();
  expect(
    draw('again')
      .rows()
      .map(([process]) => process),
  ).toEqual(['<img src=x onerror=alert(1)>', 'LockApp.exe', 'svchost.exe']);
});

test('M or Shift + click marks the time of a row; the table follows choice and marks without being drawn anew', () => {
  const events: ViewTable = {
    title: 'Events',
    columns: [
      { name: 'ts', title: 'At', help: 'When.', kind: 'time_ns' },
      { name: 'event', title: 'Event', help: 'What.', kind: 'text' },
      { name: 'end', title: 'Until', help: 'When it ended.', kind: 'time_ns' },
    ],
    rows: [
      [100, 'key down', null],
      [200, 'focus', 900],
    ],
  };
  const marked: MarkedEvent[] = [];
  let tell: Parameters<Required<ViewContext<ParamSpecs>>['onSelection']>[0] = () => undefined;
  const nothing: Selection = { span: null, thread: null, pid: null };
  drawTable(document.body, events, {
    origin_ns: 0,
    name: 'marks',
    chosen: ({ span }) => events.rows.findIndex(([ts]) => ts === span?.start),
    context: {
      selection: nothing,
      onSelection: (listener) => {
        tell = listener;
        return () => undefined;
      },
      toggleMark: (event) => marked.push(event),
    },
  });
  const grid = document.body.lastElementChild as HTMLElement;
  const row = (at: number) => grid.querySelectorAll<HTMLElement>('.row:not([hidden])')[at];
  grid.dispatchEvent(new KeyboardEvent('keydown', { key: 'm', code: 'KeyM', bubbles: true }));
  row(1)?.children[2]?.dispatchEvent(new MouseEvent('click', { shiftKey: true, bubbles: true }));
  expect(marked).toEqual([
    { ts: 100, label: 'key down: At' },
    { ts: 900, label: 'focus: Until' },
  ]);

  tell({ ...nothing, span: { start: 200, end: 900 } }, [{ ts: 900, label: 'focus: Until', slot: 1 }]);
  expect([row(0), row(1)].map((each) => [each?.getAttribute('aria-selected'), each?.dataset.mark])).toEqual([
    ['false', undefined],
    ['true', 'B'],
  ]);
});

test('texts but the first give way before the table is scrolled; signs stand close, and take no room where there are none', () => {
  const text = (name: string, title: string) => ({ name, title, help: '', kind: 'text' as const });
  const thread = 'service host.exe (tid 4711)';
  drawTable(
    document.body,
    {
      title: 'Widths',
      columns: [
        ...[text('a', 'Thread'), text('b', ''), text('c', ''), text('d', 'Woken by'), text('e', 'Why')],
        // Digits are wide.
        text('f', 'PID'),
      ],
      rows: [[thread, '≥', '', thread, 'Executive', '38080']],
    },
    { origin_ns: 0, name: 'widths' },
  );
  const style = (document.body.lastElementChild as HTMLElement).style;
  expect(['--columns', '--least-width', '--whole-width'].map((name) => style.getPropertyValue(name))).toEqual(
    [
      'minmax(208px, 208fr) 14px 0px minmax(106px, 208fr) minmax(86px, 86fr) minmax(60px, 60fr)',
      '474px',
      '576px',
    ],
  );
});
