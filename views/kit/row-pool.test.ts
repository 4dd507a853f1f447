// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { ROW_PX, RowPool } from './row-pool.ts';

const PAGE_PX = 10 * ROW_PX;

/** A pool in a scroller that shows ten rows, scrolled as far down as it goes. */
function atTheEnd(rowCount: number): { readonly last: HTMLElement | null; readonly scrollTop: number } {
  const scroller = document.createElement('div');
  const body = scroller.appendChild(document.createElement('div'));
  Object.defineProperty(scroller, 'clientHeight', { value: PAGE_PX });
  Object.defineProperty(body, 'offsetTop', { value: 0 });
  const pool = new RowPool(scroller, body, 'row', () => undefined);
  pool.show(rowCount);
  scroller.scrollTop = parseFloat(body.style.height) - PAGE_PX;
  scroller.dispatchEvent(new Event('scroll'));
  pool.end();
  return { last: body.querySelector(`#row-${rowCount - 1}`), scrollTop: scroller.scrollTop };
}

test.each([100, 1_000_000, 1_200_000, 5_000_000, 80_000_000])(
  'of %i rows, the last stands at the lower edge when all is scrolled through',
  (rowCount) => {
    const { last, scrollTop } = atTheEnd(rowCount);
    const top = Number(/translateY\(([\d.]+)px\)/.exec(last?.style.transform ?? '')?.[1]);
    expect(Math.round(top + ROW_PX - scrollTop)).toBe(PAGE_PX);
  },
);

test('the table is measured where it was scrolled, and not where rows are shown', () => {
  const scroller = document.createElement('div');
  const body = scroller.appendChild(document.createElement('div'));
  const measured: number[] = [];
  let scrollTop = 0;
  Object.defineProperty(scroller, 'clientHeight', { value: PAGE_PX });
  Object.defineProperty(scroller, 'scrollTop', {
    get: () => {
      measured.push(scrollTop);
      return scrollTop;
    },
  });
  const pool = new RowPool(scroller, body, 'row', () => undefined);
  pool.show(100);
  pool.show(80);
  scrollTop = 50 * ROW_PX;
  scroller.dispatchEvent(new Event('scroll'));
  pool.show(70);
  pool.end();
  expect(measured).toEqual([0, 50 * ROW_PX]);
  expect(body.querySelector('#row-50')).not.toBeNull();
});

test('a table that was scrolled and gets shorter shows its last rows at once', () => {
  const scroller = document.createElement('div');
  const body = scroller.appendChild(document.createElement('div'));
  Object.defineProperty(scroller, 'clientHeight', { value: PAGE_PX });
  const pool = new RowPool(scroller, body, 'row', () => undefined);
  pool.show(1000);
  scroller.scrollTop = 500 * ROW_PX;
  scroller.dispatchEvent(new Event('scroll'));
  pool.show(12);
  pool.end();
  const shown = [...body.querySelectorAll<HTMLElement>('.row:not([hidden])')].map(({ id }) => id);
  expect(shown).toEqual(Array.from({ length: 12 }, (_, at) => `row-${at}`));
});
