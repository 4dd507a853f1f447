import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { readyLatency } from '../../views/ready-latency/view.ts';
import type { ReadyLatencyModel } from '../../views/ready-latency/model.ts';
import { outrank } from './outrank.ts';
import { expectTable, OPENED_LIMIT_MS, untilShown, waitTable, watchErrors } from './page.ts';
import { demo, picture } from './places.ts';
import { HEADER_TS, readTruth } from './truth.ts';

/**
 * The main job in a page that was asked to open the demo: the overview names what is wrong, and Enter on it shows the proof;
 * in the ready latency view the longest wait stands first, choosing it tells who ran meanwhile, and the page shows just
 * what `outrank view` prints. The pictures are named after the door.
 */
export async function tellLockScreenStory(page: Page, cache: string, door: string): Promise<void> {
  const errors = watchErrors(page);
  const { wait } = readTruth();
  const finding = page.locator('.findings li button').first();
  await finding.waitFor({ timeout: OPENED_LIMIT_MS });
  expect(await finding.innerText()).toMatch(/^19.493 s\s+Rank starvation\s+at 30.333123 s\s+LockApp.exe /);
  await page.screenshot({ path: picture(`${door}-overview`) });
  await untilShown(page);

  const printed = await outrank(cache, 'view', 'ready-latency', demo.trace, '--format', 'json');
  const model = JSON.parse(printed.stdout) as ReadyLatencyModel;
  const [longest] = readyLatency.tables(model);
  if (longest === undefined) throw new Error('the view has no table');
  await expectTable(waitTable(page), longest, HEADER_TS);

  const first = waitTable(page).getByRole('row').nth(1);
  expect(await first.innerText()).toContain('LockApp.exe');
  await page.screenshot({ path: picture(`${door}-light`) });

  await first.click();
  const answer = page.locator('.meanwhile .answer');
  await answer.waitFor();
  expect(await answer.innerText()).toContain(
    `LockApp.exe (tid ${wait.tid}, Lock screen UI) was ready for 19.493 s, at priority 14, rank 2.`,
  );
  expect(await answer.innerText()).toContain('those went first by rank alone');
  const groups = page.getByRole('grid', { name: 'What ran meanwhile, by rank and priority' });
  expect(await groups.getByRole('row').nth(1).innerText()).toMatch(/^0\s/);
  await page.screenshot({ path: picture(`${door}-light-chosen`) });

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-theme=dark]').waitFor();
  await page.screenshot({ path: picture(`${door}-dark-chosen`) });
  await page.emulateMedia({ colorScheme: 'light' });

  await page.getByRole('button', { name: 'Overview' }).click();
  await finding.focus();
  await page.keyboard.press('Enter');
  await answer.waitFor();
  expect(await answer.innerText()).toContain('was ready for 19.493 s');
  expect(errors).toEqual([]);
}
