import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { DRAWINGS } from '../../shared/panel/index.ts';
import { HOSTILE_DRAWINGS, HOSTILE_ROWS, MARKUP } from '../../views/drawing/testing.ts';
import { OPENED_LIMIT_MS } from './page.ts';
import { picture } from './places.ts';

const TITLE = 'Every drawing';

/** Puts a panel for each drawing into a trace's folder, and a dashboard that arranges the panels. Their texts are markup. */
export function writeHostileDrawings(trace: string): void {
  const folder = dirname(trace);
  for (const kind of DRAWINGS) {
    const header = `-- @title Drawn as ${kind}\n-- @description ${MARKUP}\n-- @draw ${HOSTILE_DRAWINGS[kind]}\n`;
    writeFileSync(join(folder, `every-${kind}.panel.sql`), header + HOSTILE_ROWS);
  }
  const panels = DRAWINGS.map((kind, at) => ({ panel: `every-${kind}`, width: at === 0 ? 2 : 1 }));
  writeFileSync(join(folder, 'every.dashboard.json'), JSON.stringify({ title: TITLE, columns: 3, panels }));
}

/**
 * Opens the dashboard in the trace's folder. None of its panels runs before the panel was read. Then each panel is drawn in its place.
 * None of its texts is markup, neither in the picture nor in what the pointer brings up.
 */
export async function tellHostileDrawings(page: Page, name: string): Promise<void> {
  await page.getByRole('region', { name: 'Dashboards' }).getByRole('button', { name: TITLE }).click();
  const unread = page.getByRole('button', { name: 'I have read it: run it' });
  await expect.poll(() => unread.count(), { timeout: OPENED_LIMIT_MS }).toBe(DRAWINGS.length);
  expect(await page.locator('.dashboard .panel-drawing').count()).toBe(0);
  for (const [read, kind] of DRAWINGS.entries()) {
    await confirm(page.getByRole('region', { name: `Drawn as ${kind}`, exact: true }));
    expect(await unread.count()).toBe(DRAWINGS.length - read - 1);
  }
  expect(await page.locator('.dashboard h2').allTextContents()).toEqual(
    DRAWINGS.map((kind) => `Drawn as ${kind}`),
  );
  for (const kind of DRAWINGS) {
    const card = page.getByRole('region', { name: `Drawn as ${kind}`, exact: true });
    const drawing = card.locator('.panel-drawing');
    await drawing.locator('svg, canvas, [role=grid]').first().waitFor({ timeout: OPENED_LIMIT_MS });
    await drawing.hover();
  }
  await page.getByText(MARKUP).first().waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.screenshot({ path: picture(`drawings-light-${name}`), fullPage: true });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: picture(`drawings-dark-${name}`), fullPage: true });
  await page.emulateMedia({ colorScheme: null });
}

/** Confirms a panel. A drawing that appears moves the cards below: a click that meets nothing is repeated. */
async function confirm(card: Locator): Promise<void> {
  const SEEN_MS = 5_000;
  const button = card.getByRole('button', { name: 'I have read it: run it' });
  await expect
    .poll(
      async () => {
        if ((await button.count()) > 0) await button.click({ timeout: SEEN_MS }).catch(() => undefined);
        await button.waitFor({ state: 'detached', timeout: SEEN_MS }).catch(() => undefined);
        return button.count();
      },
      { timeout: OPENED_LIMIT_MS },
    )
    .toBe(0);
}
