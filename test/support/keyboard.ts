import type { Locator, Page } from 'playwright-core';

/** Finds a command in the palette, and waits for the view that it opens. */
export async function openByPalette(page: Page, typed: string, title: string): Promise<void> {
  await page.keyboard.press('Control+Shift+P');
  await page.getByRole('combobox', { name: /^Find commands/ }).waitFor();
  await page.keyboard.type(typed);
  await page.keyboard.press('Enter');
  await shown(page, title);
}

/** Waits until a view stands there, loaded. */
export async function shown(page: Page, title: string): Promise<void> {
  await page.locator('.view-heading h2', { hasText: title }).waitFor();
  // A load begins when typing and zooming have rested.
  await page.waitForTimeout(400);
  await page.locator('.view-area[aria-busy=false] .view-page').waitFor();
}

/** Moves the focus forward until `target` has it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const MOST = 90;
  for (let count = 0; count < MOST; count++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the focus does not come to ${String(target)}`);
}
