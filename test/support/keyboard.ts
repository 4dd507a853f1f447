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
  const AT_ONCE = 15;
  for (let count = 0; count < MOST; count += AT_ONCE) {
    // Several presses between two frames cost a fraction of one in each: those after the target is reached do nothing.
    const stop = await target.evaluateHandle((element) => {
      const controller = new AbortController();
      const stay = (event: KeyboardEvent) => {
        if (event.key !== 'Tab' || element !== document.activeElement) return;
        event.preventDefault();
        event.stopImmediatePropagation();
      };
      addEventListener('keydown', stay, { capture: true, signal: controller.signal });
      return controller;
    });
    await Promise.all(Array.from({ length: AT_ONCE }, () => page.keyboard.press('Tab')));
    await stop.evaluate((controller) => controller.abort());
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`the focus does not come to ${String(target)}`);
}
