import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { openByPalette, shown, tabTo } from './keyboard.ts';
import { OPENED_LIMIT_MS, textOf, waitTable } from './page.ts';

/** A request for what comes later to a list: more waits are judged for it than for the list. */
const LATER = /"name":"loadModel".*"step":"later"/s;
const PENDING = '…';

/** What judges waits after a list is shown. */
export interface LaterReasons {
  hold(): void;
  /** Waits until there is something to let go. */
  letGo(): Promise<void>;
}

/** Lets a page's requests pass, those that judge waits later only while they are not held. Before the page is opened. */
export async function routeReasons(page: Page): Promise<LaterReasons> {
  let holds = false;
  const held: (() => void)[] = [];
  await page.routeWebSocket(/\/socket/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      if (holds && LATER.test(message.toString())) held.push(() => server.send(message));
      else server.send(message);
    });
  });
  return {
    hold: () => (holds = true),
    letGo: async () => {
      await expect.poll(() => held.length, { timeout: OPENED_LIMIT_MS }).toBeGreaterThan(0);
      holds = false;
      for (const send of held.splice(0)) send();
    },
  };
}

/** Chooses the last of the longest waits, and expects to stand there still when the reasons of the list have come. */
export async function tellLaterReasons(page: Page, reasons: LaterReasons): Promise<void> {
  const { keyboard } = page;
  const grid = waitTable(page);
  await openByPalette(page, 'Ready latency', 'Ready latency');
  await tabTo(page, grid);
  await keyboard.press('End');
  await keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.includes('thread='));
  await keyboard.press('0');
  await shown(page, 'Ready latency');

  reasons.hold();
  await page.reload();
  await grid.getByRole('row').nth(1).waitFor({ timeout: OPENED_LIMIT_MS });
  await tabTo(page, grid);
  await keyboard.press('End');
  await grid.locator('.cursor[aria-selected=true]').waitFor();
  const before = await placeOf(page);
  expect(before.isFocused).toBe(true);
  expect(before.scrollTop).toBeGreaterThan(0);
  expect(await reasonsInSight(page)).toContain(PENDING);

  await reasons.letGo();
  await expect.poll(() => reasonsInSight(page), { timeout: OPENED_LIMIT_MS }).not.toContain(PENDING);
  await expect.poll(() => placeOf(page), { timeout: OPENED_LIMIT_MS }).toEqual(before);
}

/** Where the reader of the list of waits is: how far it and the page are scrolled, the focus, the row of the cursor and the chosen one. */
function placeOf(page: Page) {
  return waitTable(page).evaluate((grid) => {
    const rowOf = (selector: string) => grid.querySelector(selector)?.getAttribute('aria-rowindex');
    const scrolled: number[] = [];
    for (let outer = grid.parentElement; outer !== null; outer = outer.parentElement)
      if (outer.scrollTop > 0) scrolled.push(outer.scrollTop);
    return {
      scrollTop: grid.scrollTop,
      scrolled,
      isFocused: grid === document.activeElement,
      cursor: rowOf('.cursor'),
      chosen: rowOf('[aria-selected=true]'),
    };
  });
}

/** The column *Why late* of the rows in sight. */
async function reasonsInSight(page: Page): Promise<readonly (string | undefined)[]> {
  const [heading = [], ...rows] = await textOf(waitTable(page));
  return rows.map((row) => row[heading.indexOf('Why late')]);
}
