import { afterAll, afterEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { showLake } from './support/browser.ts';
import { startAgain, startDesktop, type Desktop } from './support/desktop.ts';
import { run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, textOf, watchErrors } from './support/page.ts';
import { demo, OUTRANK, Scratch, wmiDemo } from './support/places.ts';
import { startTeam } from './support/team.ts';

const waited = { timeout: OPENED_LIMIT_MS };
const scratch = new Scratch();
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => scratch.remove());

async function start(...given: readonly string[]): Promise<Desktop> {
  const desktop = await startDesktop(scratch, ...given);
  ends.push(() => desktop.app.close());
  return desktop;
}

/** From a row of the answer to its first trace, in the same window. */
async function openExample(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Machines by finding' }).click();
  await page
    .getByRole('button', { name: /lock-screen.etl at/ })
    .first()
    .click(waited);
  await page.locator('.view-area[aria-busy=false] .view-page').waitFor(waited);
  await page.getByRole('heading', { name: 'Timeline' }).waitFor(waited);
}

test('the window asks the lake of a team server, and fetches the trace of a point from it', async () => {
  const team = await startTeam(scratch, scratch.path('store'), {}, 'on');
  ends.push(() => team.end());
  for (const [path, build] of [
    [demo.trace, '101'],
    [wmiDemo.trace, '102'],
  ] as const) {
    const args = ['upload', path, '--yes', '--tag', `build=${build}`, '--to', team.origin];
    await run(process.execPath, [...OUTRANK, ...args], { OUTRANK_TOKEN: team.token });
  }
  const headers = { authorization: `Bearer ${team.token}` };
  const count = async () =>
    ((await (await fetch(`${team.origin}/api/lake`, { headers })).json()) as { traces: number }).traces;
  await expect.poll(count, waited).toBe(2);

  const { page, app } = await start();
  const errors = watchErrors(page);
  await page.getByRole('button', { name: 'Ask a lake…' }).click();
  await page.getByLabel('Address').fill(`${team.origin}/lake`);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByRole('alert').getByText('wants a token').waitFor(waited);
  await page.getByLabel('Token').fill(team.token);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();

  await page.getByText('2 traces were asked').waitFor(waited);
  const rows = async () => (await textOf(page.getByRole('grid'))).slice(1);
  expect((await rows()).map(([build]) => build)).toEqual(['101', '102']);
  await page.getByLabel('Side by side').selectOption('by build');
  await page.getByRole('figure').nth(1).waitFor(waited);
  await page.getByRole('button', { name: '101', exact: true }).click();
  await page.getByText('1 trace was asked').waitFor(waited);
  await openExample(page);
  expect(app.windows()).toHaveLength(1);

  // What was asked is still there.
  await page.getByRole('button', { name: 'Lake', exact: true }).click();
  await page.getByText('1 trace was asked').waitFor(waited);
  expect(errors).toEqual([]);
});

test('a window that is there takes the address of a lake on this machine, and opens its traces where they lie', async () => {
  const cache = scratch.path('cache');
  const lake = scratch.path('lake');
  await run(process.execPath, [...OUTRANK, 'lake', 'add', lake, demo.trace], { OUTRANK_CACHE: cache });
  const shown = await showLake(cache, lake);
  ends.push(() => shown.end());
  const { page, app } = await start();
  const errors = watchErrors(page);
  await page.getByRole('button', { name: 'Open a trace…' }).waitFor(waited);
  expect((await startAgain(scratch, shown.url)).code).toBe(0);
  await page.getByText('1 trace was asked').waitFor(waited);
  await openExample(page);
  await app.close();
  ends.pop();

  // So `outrank lake show --window` starts a window that is not there.
  const begun = await start(shown.url);
  await begun.page.getByText('1 trace was asked').waitFor(waited);
  expect(errors).toEqual([]);
});
