import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { serve, startBrowser, type Served } from './support/browser.ts';
import { copyLink, startDesktop, type Desktop } from './support/desktop.ts';
import { outrank, run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { electronFolder, root, Scratch, synth } from './support/places.ts';
import { expectSame, goSomewhere, pictures } from './support/same-place.ts';

/** Two people on one machine, each with settings and a cache of their own, and a file that goes from one to the other. */
const [anna, ben] = [new Scratch(), new Scratch()];
const trace = anna.path('lock-screen.etl');
const received = ben.path('from-anna.etl');
const other = ben.path('minimal.etl');
const bundle = ben.path('story.outrank');
beforeAll(async () => {
  expect((await run(synth, ['lock-screen', '-o', trace])).code).toBe(0);
  expect((await run(synth, ['minimal', '-o', other])).code).toBe(0);
  copyFileSync(trace, received);
});
afterAll(() => {
  anna.remove();
  ben.remove();
});

/** Gives the page that asks for a link's trace another one, which it refuses, and then the right one. */
async function answerWithFile(page: Page): Promise<void> {
  const input = page.locator('.wanted input[type=file]');
  await page.getByText('lock-screen.etl, 9.7 MB').waitFor();
  await input.setInputFiles(other);
  const alert = page.getByRole('alert');
  await alert.waitFor({ timeout: OPENED_LIMIT_MS });
  expect(await alert.innerText()).toMatch(/^minimal\.etl is another trace than the link's: the SHA-256/);
  await input.setInputFiles(received);
}

test('in the window: a link is copied, opened with a file of another name, and shows the same', async () => {
  const theirs: Desktop = await startDesktop(anna, trace);
  await goSomewhere(theirs.page);
  const link = await copyLink(theirs);
  const wanted = await pictures(theirs.page);
  await theirs.app.close();
  expect(link).toMatch(/^outrank:\/\/open#3\.[\w-]+$/);

  const { app, page } = await startDesktop(ben, link);
  try {
    const errors = watchErrors(page);
    await answerWithFile(page);
    await expectSame(page, wanted);

    // The system hands a link to a second start; the trace is known now.
    await page.locator('.home-button').click();
    await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const settings = `--user-data-dir=${ben.path('settings')}`;
    const program = join(electronFolder, 'electron');
    const second = await run(program, [join(root, 'dist', 'electron'), settings, ...sandbox, link]);
    expect(second.code).toBe(0);
    await expectSame(page, wanted);

    // Bundles: by the window's file field; its place is the link's.
    expect((await outrank(ben.path('cache'), 'bundle', received, '--state', link, '-o', bundle)).code).toBe(
      0,
    );
    await page.locator('.home-button').click();
    await page.locator('.home input[type=file]').setInputFiles(bundle);
    await expectSame(page, wanted);
    expect(errors).toEqual([]);
  } finally {
    await app.close();
  }
});

test('in the browser: likewise, by link and by bundle', async () => {
  const browser: Browser = await startBrowser();
  const servers: Served[] = [];
  const open = async (profile: Scratch, ...traces: string[]): Promise<{ page: Page; url: string }> => {
    const served = await serve(profile.path('cache-of-browser'), ...traces);
    servers.push(served);
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    return { page: await context.newPage(), url: served.url };
  };
  try {
    const theirs = await open(anna, trace);
    await theirs.page.goto(theirs.url);
    await goSomewhere(theirs.page);
    await theirs.page.getByRole('button', { name: 'Copy link' }).click();
    await theirs.page.getByText(/^Link copied/).waitFor();
    const link = await theirs.page.evaluate(() => navigator.clipboard.readText());
    await theirs.page.getByRole('button', { name: 'Dismiss' }).click();
    const wanted = await pictures(theirs.page);

    const { page, url } = await open(ben);
    const errors = watchErrors(page);
    await page.goto(`${url}${link.slice(link.indexOf('#'))}`);
    await answerWithFile(page);
    await expectSame(page, wanted);

    // The link is kept, and leads there again.
    await page.locator('.home-button').click();
    await page.getByRole('button', { name: /^Ready latency/ }).click();
    await expectSame(page, wanted);

    rmSync(bundle, { force: true });
    expect((await outrank(ben.path('cache'), 'bundle', received, '--state', link, '-o', bundle)).code).toBe(
      0,
    );
    const third = await open(ben);
    await third.page.goto(third.url);
    await third.page.locator('.home input[type=file]').setInputFiles(bundle);
    await expectSame(third.page, wanted);
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
    for (const served of servers) await served.end();
  }
});
