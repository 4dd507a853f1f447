import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { openByPalette, shown, tabTo } from './keyboard.ts';
import { textOf, waitTable, watchErrors } from './page.ts';

/**
 * A walk through all views of the demo by keyboard alone: filter, choose, mark, step along a chain, open each view by
 * its key and as tables, find by the palette, go back.
 */
export async function walkByKeyboard(page: Page): Promise<void> {
  const errors = watchErrors(page);
  const { keyboard } = page;
  const rail = page.getByRole('navigation', { name: 'Views' }).getByRole('button');
  const titles = await rail.allInnerTexts();

  await openFinding(page);
  await keyboard.press('0');
  await openByPalette(page, 'ready latency', 'Ready latency');
  await keyboard.press('/');
  await keyboard.type('LockApp');
  await page.waitForFunction(() => location.hash.includes('p.process=LockApp'));
  await shown(page, 'Ready latency');
  const names = (await textOf(waitTable(page))).slice(1).map(([process]) => process);
  expect(new Set(names)).toEqual(new Set(['LockApp.exe']));

  await keyboard.press('Escape');
  await tabTo(page, waitTable(page));
  await keyboard.press('Enter');
  await page.locator('.meanwhile .answer').waitFor();
  await tabTo(page, waitTable(page));
  await keyboard.press('m');
  const marked = page.getByRole('region', { name: 'Marked events' });
  await expect
    .poll(() => marked.getByRole('listitem').allInnerTexts())
    .toEqual([expect.stringMatching(/^A\s+LockApp\.exe: Ready at/)]);
  const chosen = waitTable(page).getByRole('row', { selected: true });
  await expect.poll(() => chosen.getAttribute('data-mark')).toBe('A');

  await openByPalette(page, 'wake chain', 'Wake chain');
  await keyboard.press('[');
  await page.waitForFunction(() => location.hash.includes('p.link=1'));
  await shown(page, 'Wake chain');
  await keyboard.press(']');
  await page.waitForFunction(() => !location.hash.includes('p.link=1'));
  // What follows within the same moment would be the same step of the history.
  await page.waitForTimeout(600);
  await keyboard.press('Alt+ArrowLeft');
  await page.waitForFunction(() => location.hash.includes('p.link=1'));
  await keyboard.press('Alt+ArrowRight');
  await page.waitForFunction(() => !location.hash.includes('p.link=1'));

  await keyboard.press('0');
  for (const [index, title] of titles.entries()) {
    if (index < 9) await keyboard.press(String(index + 1));
    else await openByPalette(page, title, title);
    await shown(page, title);
    await expectMarkInCharts(page, title);
    await keyboard.press('t');
    await page.locator('.as-table [role=grid]').first().waitFor();
    await keyboard.press('t');
    await page.locator('.as-table').first().waitFor({ state: 'detached' });
  }

  await keyboard.press('Shift+M');
  await marked.waitFor({ state: 'detached' });
  await keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  expect(await keys.innerText()).toContain('Step back along the chain');
  await keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  await expectDialogsToHaveTheKeys(page);
  expect(errors).toEqual([]);
}

/** From the overview's finding to its proof: the keyboard stays in the view, and sorts its table. */
async function openFinding(page: Page): Promise<void> {
  const { keyboard } = page;
  const finding = page.getByRole('button', { name: /Rank starvation/ });
  await finding.waitFor();
  await keyboard.press('v');
  await keyboard.press('Tab');
  expect(await finding.evaluate((element) => element === document.activeElement)).toBe(true);
  await keyboard.press('Enter');
  await shown(page, 'Ready latency');
  await page.locator('.meanwhile .answer').waitFor();
  // Then the view is not drawn anew any more.
  await page.getByText(/^Why the \d+ longest were late/).waitFor();
  await page.waitForTimeout(200);
  await keyboard.press('Tab');
  expect(await waitTable(page).evaluate((element) => element === document.activeElement)).toBe(true);
  for (const key of ['ArrowUp', 'ArrowRight', 'ArrowRight', 'Enter']) await keyboard.press(key);
  const ready = waitTable(page).getByRole('columnheader', { name: /^Ready\W*$/ });
  await expect.poll(() => ready.getAttribute('aria-sort')).toBe('descending');
  for (const key of ['Enter', 'Enter', 'ArrowDown', 'Escape']) await keyboard.press(key);
}

/** While a dialog is open, keys of the page below do nothing, and Escape closes the dialog and nothing else. */
async function expectDialogsToHaveTheKeys(page: Page): Promise<void> {
  const current = page.getByRole('navigation', { name: 'Views' }).locator('[aria-current=page]');
  const view = await current.innerText();
  for (const [key, name] of [
    ['Control+E', 'Export'],
    ['y', 'Symbols'],
    ['Shift+C', 'Link to this place'],
  ] as const) {
    await page.keyboard.press(key);
    const dialog = page.getByRole('dialog', { name });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('2');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await current.innerText()).toBe(view);
  }
  await expectFocusToComeBack(page);
}

/** A dialog that its button closes, and a palette that ran a command, give the focus back to where it was. */
async function expectFocusToComeBack(page: Page): Promise<void> {
  const before = page.getByRole('button', { name: 'Keys' });
  const hasFocus = () => before.evaluate((element) => element === document.activeElement);
  await before.focus();
  await page.keyboard.press('Enter');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await keys.getByRole('button', { name: 'Close' }).click();
  await keys.waitFor({ state: 'detached' });
  await expect.poll(hasFocus).toBe(true);
  await openByPalette(page, 'Blame', 'Blame');
  await expect.poll(hasFocus).toBe(true);
}

/** The charts over time of a view show the mark, where the view has any chart. */
async function expectMarkInCharts(page: Page, title: string): Promise<void> {
  const plots = page.locator('.view-page .over-time');
  if (!(await plots.first().isVisible())) return;
  const marks = async () => [...new Set(await plots.locator('g.mark text').allTextContents())];
  await expect.poll(marks, { message: title, timeout: 30_000 }).toEqual(['A']);
}
