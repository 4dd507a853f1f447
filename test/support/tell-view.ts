import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { openByPalette, shown, tabTo } from './keyboard.ts';
import { textOf } from './page.ts';
import { picture } from './places.ts';
import type { ViewStory } from './view-stories.ts';

/** Tells the story of a view by keyboard alone. The picture of its end is named after the door. */
export async function tellView(page: Page, story: ViewStory, door: string): Promise<void> {
  const { view, filter, table, row, chosen } = story;
  const { keyboard } = page;
  await keyboard.press('0');
  await openByPalette(page, view, view);

  await tabTo(page, control(page, filter.label));
  // What stands in a field is selected when the focus comes to it by the keyboard: typing replaces it.
  await keyboard.type(filter.keys);
  await inAddress(page, filter.param);
  await shown(page, view);
  const grid = page.locator('.view-page').getByRole('grid', { name: table, exact: true });
  // Some columns are filled once the view has asked for more than its first picture.
  await expect
    .poll(async () => (await textOf(grid))[1]?.slice(0, row.length), { timeout: 30_000 })
    .toEqual(row);

  if (chosen !== null) {
    await tabTo(page, grid);
    await keyboard.press('Home');
    await keyboard.press('Enter');
    for (const part of chosen) await inAddress(page, part);
    await page.locator('.view-area[aria-busy=false] .view-page').waitFor();
  }
  await page.screenshot({ path: picture(`${door}-${view.toLowerCase().replace(/\W+/g, '-')}`) });
}

/** The control of a filter, by the whole of its label. */
function control(page: Page, label: string): Locator {
  const named = page.locator('span').getByText(label, { exact: true });
  return page.getByRole('form', { name: 'Filter' }).locator('label', { has: named }).locator('input, select');
}

function inAddress(page: Page, part: string): Promise<unknown> {
  return page.waitForFunction((wanted) => decodeURIComponent(location.hash).includes(wanted), part);
}
