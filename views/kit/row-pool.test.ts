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
  pool.show(rowCount);
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
