import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { tellHostileDrawings, writeHostileDrawings } from './hostile-drawings.ts';
import { OPENED_LIMIT_MS, watchErrors } from './page.ts';
import { picture } from './places.ts';

const HEADER = `-- @title Runs by process <img src=x onerror=alert(1)>
-- @description How long threads of each process ran.
-- @param top number = 10: How many are shown.
-- @draw bars name=process value=ran_ns
`;
const SELECT = `SELECT t.process_name AS process, sum(r.dur) AS ran_ns
FROM etw_run AS r JOIN etw_thread AS t USING (utid)
WHERE r.ts < :range_end AND r.ts + r.dur > :range_start
GROUP BY process ORDER BY ran_ns DESC LIMIT :top;
`;

/** What a stranger put into the trace's folder. It would redefine a function that views call. */
const HOSTILE = `-- @title <img src=x onerror=alert(1)> Innocent
-- @description Nothing to see.
SELECT create_function('f()', 'LONG', 'SELECT 1') AS a;
`;

/** Puts the stranger's panels into a trace's folder. */
export function writeHostilePanels(trace: string): void {
  writeFileSync(join(dirname(trace), 'hostile.panel.sql'), HOSTILE);
  writeHostileDrawings(trace);
}

const ELSEWHERE = `-- @title Written elsewhere
-- @description By another program.
SELECT 1 AS one;
`;
/** The longest until a change of a file is seen, on a busy machine, in ms; an idle one needs less than 1 s. */
const SEEN_MS = 10_000;

/** Replaces the text of the panel that is edited. */
async function write(page: Page, text: string): Promise<void> {
  await page.locator('.panel-editor .cm-content').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

/**
 * Writes a panel with a fault, mends it, draws, saves, opens it again, pins it; finds one in the palette, follows files that
 * other programs write into `folder`, the user's; meets a dashboard of every drawing, and a stranger's panel.
 */
export async function tellPanelStory(page: Page, name: string, folder: string): Promise<void> {
  const errors = watchErrors(page);
  const openList = () => page.getByRole('button', { name: 'Panels', exact: true }).click();
  await page.getByRole('button', { name: 'Panels', exact: true }).click({ timeout: OPENED_LIMIT_MS });
  const image = page.getByRole('button', { name: 'Sampled calls' });
  await image
    .getByText(/^Not recorded: it needs the kernel flag PROFILE/)
    .waitFor({ timeout: OPENED_LIMIT_MS });
  await page.screenshot({ path: picture(`panels-${name}`) });

  await page.getByRole('button', { name: 'New panel' }).click();
  await write(page, HEADER + SELECT.replace('r.dur', 'r.drr'));
  await page.getByText('Line 5, column').waitFor();
  await page.getByText('no such column: r.drr').waitFor();
  await write(page, HEADER.replace('bars', 'pie') + SELECT);
  await page.getByText('Line 4:').waitFor();
  await page
    .getByText(/there are table, bars, lines, area/)
    .first()
    .waitFor();
  await write(page, HEADER + SELECT);
  await page.locator('.panel-editor [role=alert]').waitFor({ state: 'detached' });
  const drawing = page.locator('.panel-preview .panel-drawing');
  await drawing.getByText('LockApp.exe', { exact: true }).first().waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  await page.screenshot({ path: picture(`panel-edited-${name}`) });

  await page.getByLabel('Name').fill('runs-by-process');
  await page.getByRole('button', { name: 'Save' }).click();
  await openList();
  await page
    .getByRole('region', { name: 'Yours' })
    .getByRole('button', { name: /^Runs by process/ })
    .waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Panels', exact: true }).click({ timeout: OPENED_LIMIT_MS });
  await page.getByRole('button', { name: /^Runs by process/ }).click({ timeout: OPENED_LIMIT_MS });
  await drawing.locator('svg').first().waitFor();
  await page.getByLabel('Top').fill('1');
  await expect.poll(() => drawing.locator('svg text').allTextContents()).not.toContain('LockApp.exe');
  await page.getByRole('button', { name: 'Tables', exact: true }).click();
  await page.getByRole('grid').waitFor();
  await page.getByRole('button', { name: 'Picture', exact: true }).click();

  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  await page.getByLabel('Top').fill('2');
  await expect.poll(() => drawing.locator('svg text').allTextContents()).toContain('System');
  await page.getByRole('button', { name: 'Ready latency' }).click();
  const pinned = page.getByRole('complementary', { name: 'Pinned panels' });
  await pinned.locator('svg').first().waitFor();
  expect(await pinned.getByLabel('Top').inputValue()).toBe('2');
  await page.screenshot({ path: picture(`panel-pinned-${name}`) });

  await openList();
  await page.getByRole('button', { name: 'New dashboard' }).click();
  await page.getByRole('button', { name: 'Arrange' }).click();
  await page.getByLabel('Add a panel').selectOption({ label: 'Longest ready wait' });
  const card = page.getByRole('region', { name: 'Longest ready wait' });
  await card.locator('svg').first().waitFor();
  await card.getByRole('button', { name: 'Earlier' }).click();
  await expect
    .poll(() => page.locator('.dashboard h2').allTextContents())
    .toEqual(['Longest ready wait', 'Runs by process <img src=x onerror=alert(1)>']);
  await page.screenshot({ path: picture(`dashboard-${name}`) });

  await page.keyboard.press('ControlOrMeta+Shift+P');
  await page.getByRole('combobox', { name: /^Find commands/ }).fill('longest ready wait panel');
  await page.getByRole('option', { name: /^Panel\s*Longest ready wait/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Longest ready wait', level: 2 }).waitFor();

  await openList();
  await tellHostileDrawings(page, name);
  await openList();
  await followFiles(page, folder);
  const beside = page.getByRole('region', { name: 'Beside this trace' });
  await beside.getByRole('button', { name: 'hostile', exact: true }).click();
  await page.getByText('This panel was not written here and has not run.').waitFor();
  expect(await page.locator('.cm-content').textContent()).toContain("create_function('f()'");
  expect(await page.locator('.panel-page .panel-drawing').count()).toBe(0);
  await page.getByRole('button', { name: 'I have read it: run it' }).click();
  await page.getByText('create_function changes more than it reads').waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  expect(errors).toEqual([]);
}

/** A file is known as soon as it is written; one that is none says what is wrong and where; one that is gone is gone. */
async function followFiles(page: Page, folder: string): Promise<void> {
  const path = join(folder, 'elsewhere.panel.sql');
  const yours = page.getByRole('region', { name: 'Yours' });
  writeFileSync(path, ELSEWHERE);
  await yours.getByText('By another program.').waitFor({ timeout: SEEN_MS });
  writeFileSync(path, ELSEWHERE.replace('-- @title', '-- @draw pie\n-- @title'));
  await yours.getByText(/^Line 1: .*there are table, bars, lines, area/).waitFor({ timeout: SEEN_MS });
  rmSync(path);
  await yours.getByText(/^Line 1:/).waitFor({ state: 'detached', timeout: SEEN_MS });
}
