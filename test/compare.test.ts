import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { copyLinkInBrowser, serve, startBrowser, type Served } from './support/browser.ts';
import { run } from './support/outrank.ts';
import { answerOfComparison, OPENED_LIMIT_MS, untilShown, watchErrors } from './support/page.ts';
import { Scratch, synth } from './support/places.ts';

const scratch = new Scratch();
const [before, after] = [scratch.path('before.etl'), scratch.path('after.etl')];
let browser: Browser;
let served: Served;
beforeAll(async () => {
  const change = ['--change', 'rank', '--seed', '2', '--first-id', '400'];
  for (const [path, ...more] of [[before], [after, ...change]] as const)
    expect((await run(synth, ['routine', '--seconds', '8', ...more, '-o', path])).code).toBe(0);
  browser = await startBrowser();
  served = await serve(scratch.path('cache'), before);
});
afterAll(async () => {
  await browser.close();
  await served.end();
  scratch.remove();
});

const proofOf = (page: Page) => page.locator('.compare-proof > header h2');
const until = (page: Page, row: string) =>
  proofOf(page).getByText(`Proof: ${row}`, { exact: true }).waitFor({ timeout: OPENED_LIMIT_MS });

/** Opens one trace in a new profile, and compares it with the other by keyboard. */
async function compare() {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const errors = watchErrors(page);
  await page.goto(served.url);
  await untilShown(page);
  await page.keyboard.press('b');
  await page.getByLabel('The trace to compare with').setInputFiles(after);
  await until(page, 'app.exe: ready: rank');
  return { context, page, errors };
}

test('two traces are compared by keyboard, tied by hand, linked to, and looked at on both sides', async () => {
  const { context, page, errors } = await compare();
  expect(await page.locator('.compare-page .answer').first().innerText()).toMatch(
    /^Most changed app\.exe, ready: rank: \+\d\.\d{3} s\. \d+ differences are sure in all\.$/,
  );
  expect(await page.getByRole('button', { name: 'Open in A' }).isDisabled()).toBe(true);

  const list = page.getByRole('grid', { name: 'What changed' });
  await list.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await until(page, 'compiler.exe: ready: priority');
  expect(await list.evaluate((grid) => grid === document.activeElement)).toBe(true);

  await page.getByText('Tie processes by hand').click();
  await page.getByLabel('Process of A').selectOption('broker.exe --log temp');
  await page.getByLabel('Process of B').selectOption('indexer.exe --log temp');
  await page.getByRole('button', { name: 'Tie', exact: true }).click();
  const tied = page
    .getByRole('grid', { name: 'How processes were matched' })
    .getByText('hand: tied by the user');
  await tied.waitFor();
  await page.getByLabel('To, in A').fill('6');
  await page.keyboard.press('Tab');
  await page.getByText('A is 6.000 s long').waitFor();
  const told = await answerOfComparison(page);
  const link = await copyLinkInBrowser(page);

  // Another page of the server: the link holds both traces, the range, the tie and the row.
  const other = await context.newPage();
  await other.goto(`${served.url}#${link.split('#')[1] ?? ''}`);
  await until(other, 'compiler.exe: ready: priority');
  await other.getByText('A is 6.000 s long').waitFor();
  expect(await answerOfComparison(other)).toBe(told);
  await other.getByText('broker.exe --log temp = indexer.exe --log temp').waitFor();

  await page.getByRole('button', { name: 'Open in B' }).click();
  await page.locator('.view-heading h2', { hasText: 'Ready latency' }).waitFor({ timeout: OPENED_LIMIT_MS });
  expect(await page.locator('.file-name').innerText()).toBe('after.etl');
  await page.goBack();
  await until(page, 'compiler.exe: ready: priority');
  expect(await page.locator('.file-name').innerText()).toBe('before.etl');
  expect(errors).toEqual([]);
});

test('the timeline of both has one axis, which keys move, and follows the row and the link', async () => {
  const { context, page, errors } = await compare();
  await page.getByRole('button', { name: 'Timeline of both' }).click();
  const axis = async (shown: Page, side: number) => {
    const tracks = shown.locator('.compare-timeline').nth(side).locator('svg[aria-description]');
    const told = await tracks.getAttribute('aria-description', { timeout: OPENED_LIMIT_MS });
    return told?.replace('Time axis: ', '').split(', ') ?? [];
  };
  const first = await axis(page, 0);
  expect(first).toContain('0.00 s');
  expect(await axis(page, 1)).toEqual(first);

  // The threads of the row stand first on both sides.
  const lanes = page.getByLabel('Tracks: arrow keys go through them, Enter chooses');
  const said = page.locator('.compare-timeline').nth(1).locator('.timeline-said');
  await lanes.nth(1).focus();
  await page.keyboard.press('ArrowDown');
  await said.getByText(/^Worker, tid 17\d\d, app\.exe/).waitFor();

  // Below them what rules found, as in the timeline of one trace.
  await expect
    .poll(async () => {
      // Reached while the rules still run, it is not passed.
      if (!(await said.innerText()).startsWith('Findings')) await page.keyboard.press('ArrowDown');
      return said.innerText();
    })
    .toMatch(/^Findings, (none|\d+)$/);

  // The key after another is pressed once both axes have followed the one before.
  let moved = first;
  for (const key of ['w', 'd']) {
    const before = moved;
    await page.keyboard.press(key);
    await expect.poll(() => axis(page, 0)).not.toEqual(before);
    moved = await axis(page, 0);
    await expect.poll(() => axis(page, 1)).toEqual(moved);
  }

  const link = await copyLinkInBrowser(page);
  const other = await context.newPage();
  await other.goto(`${served.url}#${link.split('#')[1] ?? ''}`);
  await expect.poll(() => axis(other, 1), { timeout: OPENED_LIMIT_MS }).toEqual(moved);

  await page.getByLabel('Meet at').selectOption('the beginnings of the ranges');
  await expect.poll(() => axis(page, 1)).toContain('8 s');

  // Any other view has B as second columns.
  await page.getByLabel('Below the list').selectOption('CPU usage of both');
  const usage = page.getByRole('grid', { name: 'CPU time by process' });
  await usage.getByText('B: CPU time').waitFor({ timeout: OPENED_LIMIT_MS });
  await page.locator('.compare-both').getByText('B, as an outline').waitFor();
  const row = usage.getByRole('row').filter({ hasText: 'app.exe' });
  const told = '8.126 s\n7.476 s\n−650 ms';
  expect(await row.innerText()).toContain(told);

  // A drag zooms both, and what is compared stays.
  const plot = page.locator('.compare-both .plot').first();
  await plot.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width * 0.4, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 4 });
  await page.mouse.up();
  const whole = page.getByRole('button', { name: 'Show all that is compared' });
  await whole.waitFor();
  await expect.poll(() => row.innerText(), { timeout: OPENED_LIMIT_MS }).not.toContain('8.126 s');
  await expect.poll(() => row.innerText(), { timeout: OPENED_LIMIT_MS }).not.toContain('7.476 s');

  // The link has the zoom.
  const zoomed = await copyLinkInBrowser(page);
  const later = await context.newPage();
  await later.goto(`${served.url}#${zoomed.split('#')[1] ?? ''}`);
  const part = (of: Page) => of.locator('.compare-part').first().innerText({ timeout: OPENED_LIMIT_MS });
  await expect.poll(() => part(later), { timeout: OPENED_LIMIT_MS }).toBe(await part(page));
  await whole.click();
  await expect.poll(() => row.innerText(), { timeout: OPENED_LIMIT_MS }).toContain(told);
  await page.getByRole('button', { name: 'Back to the proof' }).click();
  await until(page, 'app.exe: ready: rank');
  expect(errors).toEqual([]);
});
