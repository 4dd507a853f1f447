import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { startBrowser } from './support/browser.ts';
import { untilShown, watchErrors } from './support/page.ts';
import { demo, picture, Scratch } from './support/places.ts';
import { startTeam, type Team } from './support/team.ts';

const scratch = new Scratch();
let browser: Browser;
let team: Team;
beforeAll(async () => {
  browser = await startBrowser();
  team = await startTeam(scratch);
});
afterAll(async () => {
  await browser.close();
  await team.end();
  scratch.remove();
});

test('a team server has the page that works alone, for those without a token too; its policy is a header', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  const errors = watchErrors(page);
  const policies: (string | undefined)[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js'))
      policies.push(response.headers()['content-security-policy']);
  });
  await page.goto(`${team.origin}/alone`);
  await page.setInputFiles('input[type=file]', demo.trace);
  await untilShown(page);
  await page.screenshot({ path: picture('web-team') });
  // From the first visit on: a worker's policy comes with its script.
  expect(policies.length).toBeGreaterThan(3);
  expect(policies.filter((policy) => policy?.includes("connect-src 'self' blob:;") !== true)).toEqual([]);
  expect(errors).toEqual([]);
  await page.close();
});
