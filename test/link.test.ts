import { copyFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { copyLinkInBrowser, serve, startBrowser, type Served } from './support/browser.ts';
import {
  copyLink,
  emitOpenFile,
  startAgain,
  startByOpenFile,
  startDesktop,
  type Desktop,
} from './support/desktop.ts';
import { outrank, run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { Scratch, synth } from './support/places.ts';
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

/** Many pictures are compared in one window, which is started once. */
const LONG = { timeout: 400_000 };

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

/** Makes the bundle of a place that Ben has the trace of. */
async function makeBundle(link: string, of = received): Promise<void> {
  rmSync(bundle, { force: true });
  const { code } = await outrank(anna.path('cache'), 'bundle', of, '--state', link, '-o', bundle);
  expect(code).toBe(0);
}

/** A link to the CPU usage in the other trace, which Ben has not opened before. */
async function linkToOther(): Promise<string> {
  const { stdout } = await outrank(anna.path('cache'), 'link', 'make', other, '--view', 'cpu-usage');
  return stdout.trim();
}

async function goHome(page: Page): Promise<void> {
  await page.locator('.home-button').click();
  await page.locator('.home').waitFor();
}

/** Follows a link to another trace, whose file the page asks for; back and forward go from trace to trace. */
async function thereAndBack(page: Page, follow: () => Promise<unknown>, wanted: readonly Buffer[]) {
  const cpuUsage = page.locator('.view-heading h2', { hasText: 'CPU usage' });
  const shown = page.locator('.file-name');
  await follow();
  await page.locator('.wanted input[type=file]').setInputFiles(other);
  await cpuUsage.waitFor({ timeout: OPENED_LIMIT_MS });
  expect(await shown.innerText()).toBe('minimal.etl');
  const there = page.url();
  await page.goBack();
  await expectSame(page, wanted);
  expect(await shown.innerText()).toBe('from-anna.etl');
  await page.goForward();
  await cpuUsage.waitFor({ timeout: OPENED_LIMIT_MS });
  expect([await shown.innerText(), page.url()]).toEqual(['minimal.etl', there]);
}

test(
  'in the window: a link is copied, opened with a file of another name, and shows the same',
  LONG,
  async () => {
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
      await goHome(page);
      expect((await startAgain(ben, link)).code).toBe(0);
      await expectSame(page, wanted);

      const elsewhere = await linkToOther();
      await thereAndBack(page, () => startAgain(ben, elsewhere), wanted);

      // Bundles: by the window's file field, a second start (double click), the event of macOS; the place is the link's.
      await makeBundle(link);
      for (const open of [
        () => page.locator('.home input[type=file]').setInputFiles(bundle),
        () => startAgain(ben, bundle),
        () => emitOpenFile(app, bundle),
      ]) {
        await goHome(page);
        await open();
        await expectSame(page, wanted);
      }
      expect(errors).toEqual([]);
    } finally {
      await app.close();
    }
  },
);

test.each([
  ['its arguments', () => startDesktop(ben, bundle)],
  ['the event of macOS', () => startByOpenFile(ben, bundle)],
] as const)('in the window: a bundle that is double clicked starts the app by %s', async (_, start) => {
  await makeBundle(await linkToOther(), other);
  const { app, page } = await start();
  try {
    await page.locator('.view-heading h2', { hasText: 'CPU usage' }).waitFor({ timeout: OPENED_LIMIT_MS });
    expect(await page.locator('.file-name').innerText()).toBe('minimal.etl');
  } finally {
    await app.close();
  }
});

test('in the browser: likewise, by link and by bundle', LONG, async () => {
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
    const link = await copyLinkInBrowser(theirs.page);
    const wanted = await pictures(theirs.page);

    const { page, url } = await open(ben);
    const errors = watchErrors(page);
    await page.goto(`${url}${link.slice(link.indexOf('#'))}`);
    await answerWithFile(page);
    await expectSame(page, wanted);

    // The link is kept, and leads there again.
    await goHome(page);
    await page.getByRole('button', { name: /^Ready latency/ }).click();
    await expectSame(page, wanted);

    const elsewhere = await linkToOther();
    const follow = async () => {
      await page.keyboard.press('Control+Shift+O');
      const asking = page.getByRole('dialog', { name: 'Open a link' });
      await asking.getByRole('textbox', { name: 'Link' }).fill(elsewhere);
      await asking.getByRole('button', { name: 'Open' }).click();
    };
    await thereAndBack(page, follow, wanted);

    await makeBundle(link);
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
