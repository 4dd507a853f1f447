import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { showLake, startBrowser } from './support/browser.ts';
import { run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, textOf, watchErrors } from './support/page.ts';
import { demo, OUTRANK, Scratch, wmiDemo } from './support/places.ts';
import { startTeam, type Team } from './support/team.ts';

const scratch = new Scratch();
let browser: Browser;
let team: Team;
beforeAll(async () => {
  browser = await startBrowser();
  team = await startTeam(scratch, scratch.path('store'), {}, 'on');
});
afterAll(async () => {
  await browser.close();
  await team.end();
  scratch.remove();
});

/** Uploads a trace with a tag; gives its id. */
async function upload(path: string, tag: string): Promise<string> {
  const args = ['upload', path, '--yes', '--tag', tag, '--to', team.origin];
  const { stdout } = await run(process.execPath, [...OUTRANK, ...args], { OUTRANK_TOKEN: team.token });
  return stdout.trim().split('/').at(-1) ?? '';
}

function ask(path: string, method = 'GET'): Promise<Response> {
  return fetch(`${team.origin}${path}`, { method, headers: { authorization: `Bearer ${team.token}` } });
}

/** How many traces the lake has. */
async function count(): Promise<number> {
  return ((await (await ask('/api/lake')).json()) as { traces: number }).traces;
}

const rows = async (page: Page) => (await textOf(page.getByRole('grid'))).slice(1);

test('what a team uploads is asked as one, and leads to the trace; what is deleted is gone', async () => {
  const waited = { timeout: OPENED_LIMIT_MS };
  await upload(demo.trace, 'build=101');
  const wmi = await upload(wmiDemo.trace, 'build=102');
  await expect.poll(count, waited).toBe(2);

  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  const errors = watchErrors(page);
  // Who has no token yet is asked for it.
  await page.goto(`${team.origin}/lake`);
  await page.getByLabel('Token').fill(team.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Ask all traces…' }).click();

  await page.getByText('2 traces were asked').waitFor(waited);
  expect((await rows(page)).map(([build]) => build)).toEqual(['101', '102']);

  await page.getByRole('button', { name: 'Machines by finding' }).click();
  await page.getByText('rank-starvation').first().waitFor(waited);
  const rules = (await rows(page)).map((cells) => cells[2]);
  expect(rules).toContain('rank-starvation');
  expect(rules).toContain('release-moment');
  await page.getByLabel(/^build/).selectOption('101');
  await page.getByText('1 trace was asked').waitFor(waited);
  expect((await rows(page)).map((cells) => cells[2])).not.toContain('release-moment');

  // The address says what is asked.
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByText('1 trace was asked').waitFor(waited);
  expect(await rows(other)).toEqual(await rows(page));
  await other.close();

  await page.getByRole('button', { name: 'All traces' }).click();
  await page.getByLabel('Side by side').selectOption('by build');
  await page.getByRole('figure').nth(1).waitFor(waited);
  expect(await page.getByRole('figure').locator('figcaption').allTextContents()).toEqual([
    '1011 trace',
    '1021 trace',
  ]);
  await page.getByRole('button', { name: '101', exact: true }).click();
  await page.getByText('1 trace was asked').waitFor(waited);

  const [trace] = await Promise.all([
    context.waitForEvent('page'),
    page
      .getByRole('link', { name: /lock-screen.etl at/ })
      .first()
      .click(),
  ]);
  await trace.locator('.view-area[aria-busy=false] .view-page').waitFor(waited);
  expect(trace.url()).toContain('/t/');
  await trace.getByRole('heading', { name: 'Timeline' }).waitFor(waited);

  expect((await ask(`/api/traces/${wmi}`, 'DELETE')).status).toBe(204);
  // Its rows are not asked any more, be they there still or not.
  expect(await count()).toBe(1);
  expect(errors.filter((error) => !error.includes('401'))).toEqual([]);
});

test('a lake on this machine leads to the traces that were added on it, and asks for a trace where none is chosen', async () => {
  const waited = { timeout: OPENED_LIMIT_MS };
  const cache = scratch.path('own-cache');
  const lake = scratch.path('own-lake');
  await run(process.execPath, [...OUTRANK, 'lake', 'add', lake, demo.trace], { OUTRANK_CACHE: cache });
  const shown = await showLake(cache, lake);
  try {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    const page = await context.newPage();
    const errors = watchErrors(page);
    await page.goto(shown.url);
    await page.getByRole('button', { name: 'Traces like this one' }).click();
    await page.getByText("Give the beginning of a trace's id").waitFor(waited);

    await page.getByRole('button', { name: 'Machines by finding' }).click();
    const example = page.getByRole('link', { name: /lock-screen.etl at/ }).first();
    const [trace] = await Promise.all([context.waitForEvent('page'), example.click(waited)]);
    await trace.locator('.view-area[aria-busy=false] .view-page').waitFor(waited);
    await trace.getByRole('heading', { name: 'Timeline' }).waitFor(waited);
    expect(errors).toEqual([]);
  } finally {
    await shown.end();
  }
});
