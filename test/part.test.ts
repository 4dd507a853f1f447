import { afterAll, afterEach, expect, test } from 'vitest';
import { copyLink, startDesktop, startDesktopWithin, type Desktop } from './support/desktop.ts';
import { tabTo } from './support/keyboard.ts';
import { OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { ask } from './support/query-story.ts';
import { demo, picture, Scratch } from './support/places.ts';

const scratch = new Scratch();
let desktop: Desktop;
afterEach(() => desktop.app.close());
afterAll(() => scratch.remove());

/** The demo takes 69.7 MB of the engine, by the estimate. */
const ENGINE_BYTES = 30_000_000;

test('a part is chosen by mouse and by keyboard, described, linked to, and changed for another, in Electron', async () => {
  desktop = await startDesktopWithin(ENGINE_BYTES, scratch, demo.trace);
  const { page } = desktop;
  const errors = watchErrors(page);
  const status = page.getByRole('status');
  const open = page.getByRole('button', { name: 'Open this part' });
  const [from, to] = [page.getByLabel('From'), page.getByLabel('To')];
  // Views need no part; Perfetto's own tables do.
  await page.locator('.view-area[aria-busy=false] .view-page').waitFor({ timeout: OPENED_LIMIT_MS });
  await page.getByRole('button', { name: 'Query', exact: true }).click();
  await ask(page, 'SELECT count(*) FROM sched');
  await page
    .getByText('They take about 69.7 MB there, and the engine holds about 30.0 MB.')
    .waitFor({ timeout: OPENED_LIMIT_MS });
  await page.screenshot({ path: picture('desktop-too-large') });
  await page.getByRole('button', { name: 'Choose a part' }).click();
  await page
    .getByText('This trace takes about 69.7 MB in the engine, which holds about 30.0 MB. Choose a part.')
    .waitFor({ timeout: OPENED_LIMIT_MS });

  const box = await page.locator('.part-strip').boundingBox();
  if (box === null) throw new Error('the strip has no place');
  await page.mouse.move(box.x + box.width * 0.6, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + 20, { steps: 4 });
  await page.mouse.up();
  expect(Number(await from.inputValue())).toBeCloseTo(36, 0);
  expect(Number(await to.inputValue())).toBeCloseTo(48, 0);
  expect(await status.innerText()).toMatch(/^This part takes about 12\.\d MB\.$/);

  await tabTo(page, to);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('59.5');
  expect(await status.innerText()).toMatch(/^This part takes about 2\d\.\d MB\.$/);
  await tabTo(page, page.getByLabel('scheduling'));
  await page.keyboard.press('Space');
  expect(await status.innerText()).toMatch(/^This part takes about [\d.]+ k?B\.$/);
  await page.keyboard.press('Space');
  await from.fill('0.5');
  expect(await status.innerText()).toMatch(
    /^This part takes about 6\d\.\d MB, and the engine holds 30\.0 MB: choose less\.$/,
  );
  expect(await open.isDisabled()).toBe(true);
  await from.fill('60');
  expect(await status.innerText()).toBe(
    'This part holds nothing: choose a start before its end, and a kind of events.',
  );
  await page.screenshot({ path: picture('desktop-part-empty') });
  await from.fill('45.5');
  await tabTo(page, open);
  await page.keyboard.press('Enter');

  const badge = page.getByRole('button', { name: 'Part: 45.500 s to 59.500 s' });
  await badge.waitFor({ timeout: OPENED_LIMIT_MS });
  await page.getByRole('button', { name: 'Overview', exact: true }).click();
  await page.locator('.view-area[aria-busy=false] .view-page').waitFor({ timeout: OPENED_LIMIT_MS });
  await page.screenshot({ path: picture('desktop-part') });
  const link = await copyLink(desktop);
  expect(errors).toEqual([]);
  await desktop.app.close();

  // Without that limit, too, the link leads to the part.
  desktop = await startDesktop(scratch, link);
  await desktop.page
    .getByRole('button', { name: 'Part: 45.500 s to 59.500 s' })
    .waitFor({ timeout: OPENED_LIMIT_MS });
  await desktop.page.getByRole('button', { name: 'Part: 45.500 s to 59.500 s' }).click();
  await desktop.page.locator('.facts li', { hasText: '60.000 s' }).waitFor({ timeout: OPENED_LIMIT_MS });
});
