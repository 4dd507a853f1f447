import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, type Page } from 'playwright-core';
import { serve, startBrowser, type Served } from './support/browser.ts';
import { demo, Scratch } from './support/places.ts';

const scratch = new Scratch();
let served: Served;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  served = await serve(scratch.path('cache'), demo.trace);
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: 900, height: 700 } });
  await page.goto(served.url);
  await shown();
});
afterAll(async () => {
  await browser.close();
  await served.end();
  scratch.remove();
});

const shown = () => page.locator('.view-area[aria-busy=false] .view-page').waitFor({ timeout: 120_000 });

/** Where an element is, in px from the top. */
const placeOf = (selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom };
  });

test('in a narrow window the buttons of every view are on the line of its title', async () => {
  const rail = page.getByRole('navigation', { name: 'Views' }).getByRole('button');
  const below: string[] = [];
  for (const title of await rail.allInnerTexts()) {
    await page.getByRole('button', { name: title, exact: true }).first().click();
    await page.locator('.view-heading h2', { hasText: title }).waitFor();
    await shown();
    const [heading, tools] = [await placeOf('.view-heading h2'), await placeOf('.view-tools')];
    if (tools.top > heading.bottom) below.push(title);
  }
  expect(below).toEqual([]);
});

test('columns that are cut come into sight by the keyboard', async () => {
  await page.getByRole('button', { name: 'Ready latency', exact: true }).click();
  const grid = page.getByRole('grid', { name: 'Longest ready waits' });
  await grid.locator('.row').first().waitFor();
  await grid.focus();
  const last = grid.getByRole('columnheader').last();
  const right = () => last.evaluate((heading) => heading.getBoundingClientRect().right);
  expect(await right()).toBeGreaterThan(900);
  for (let press = 0; press < 20; press++) await page.keyboard.press('ArrowRight');
  await expect.poll(right).toBeLessThan(900);
});

test('the details are there when they are asked for, with the date on a line', async () => {
  expect(await page.locator('.details').count()).toBe(0);
  await page.getByRole('button', { name: 'Details' }).click();
  const date = page.locator('.details dd').first();
  await date.waitFor();
  expect(await date.innerText()).toBe('2022-06-18 06:26 UTC+2');
  const { top, bottom } = await placeOf('.details dd >> nth=0');
  expect(bottom - top).toBeLessThan(24);
});
