import { copyFileSync, createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ZipFile } from 'yazl';
import { cabinetOf } from '../app/host/testing/cabinet.ts';
import { startBrowser } from './support/browser.ts';
import { outrank, run } from './support/outrank.ts';
import { dropFile, untilShown } from './support/page.ts';
import { demo, picture, realTraces, root, Scratch, synth } from './support/places.ts';
import { serveFolder, servePage, type StaticServer } from './support/static-server.ts';
import { tellLockScreenStory } from './support/story.ts';

const scratch = new Scratch();
const small = scratch.path('minimal.etl');
let browser: Browser;
let context: BrowserContext;
let page: Page;
let server: StaticServer;

beforeAll(async () => {
  expect((await run(synth, ['minimal', '-o', small])).code).toBe(0);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  scratch.remove();
});
beforeEach(async () => {
  server = await servePage();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await server.close();
});

/** Goes to the page, and waits until it can do without its server. */
async function visit(): Promise<void> {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready);
}

/** Deletes what the browser keeps, from the start page. */
async function deleteKept(tab: Page): Promise<void> {
  await tab.getByText('of converted traces').waitFor();
  await tab.getByRole('button', { name: 'Delete them' }).click();
  await tab.getByText('of converted traces').waitFor({ state: 'detached' });
}

/** How many folders of converted traces lie in the private file system. */
function keptFolders(tab: Page): Promise<number> {
  return tab.evaluate(async () => {
    const traces = await (await navigator.storage.getDirectory()).getDirectoryHandle('traces');
    const names: string[] = [];
    for await (const name of traces.keys()) names.push(name);
    return names.length;
  });
}

const choose = (path: string): Promise<void> => page.setInputFiles('input[type=file]', path);

test('a page from a plain file server opens the demo, and tells what the other doors tell', async () => {
  await visit();
  await page.screenshot({ path: picture('web-home') });
  await page.getByRole('button', { name: 'Open the demo' }).click();
  await tellLockScreenStory(page, scratch.path('cache'), 'web');
});

/** What a trace comes in, by the ending of the file. */
const FORMS: Readonly<Record<string, (trace: string, to: string) => unknown>> = {
  etl: (trace, to) => copyFileSync(trace, to),
  gz: (trace, to) => writeFileSync(to, gzipSync(readFileSync(trace))),
  cab: (trace, to) => writeFileSync(to, cabinetOf('minimal.etl', readFileSync(trace))),
  zip: zipped,
  diagsession: zipped,
  pftrace: (trace, to) => outrank(scratch.path('cache'), 'convert', trace, '-o', to),
  outrank: (trace, to) => outrank(scratch.path('cache'), 'bundle', trace, '-o', to),
};

function zipped(trace: string, to: string): Promise<unknown> {
  const zip = new ZipFile();
  zip.addFile(trace, 'minimal.etl');
  zip.end();
  return pipeline(zip.outputStream, createWriteStream(to));
}

test.each(Object.keys(FORMS))('a .%s that is dropped on the page is opened', async (ending) => {
  const path = scratch.path(`dropped.${ending}`);
  await FORMS[ending]?.(small, path);
  await visit();
  await dropFile(page, path);
  await untilShown(page);
});

test('after the first visit it works without its server, and what was converted is at hand', async () => {
  await visit();
  await server.close();
  await page.reload();
  await choose(small);
  await untilShown(page);
  await page.reload();
  await untilShown(page);
  await page.getByRole('button', { name: 'Outrank', exact: true }).click();
  await deleteKept(page);
  expect(await keptFolders(page)).toBe(0);
});

test('what another tab has open stays readable when it is deleted, and goes once that tab is gone', async () => {
  await visit();
  await choose(small);
  await untilShown(page);
  const other = await context.newPage();
  await other.goto(server.url);
  await other.setInputFiles('input[type=file]', small);
  await untilShown(other);
  await other.getByRole('button', { name: 'Outrank', exact: true }).click();
  await deleteKept(other);
  expect(await keptFolders(other)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Context switches' }).click();
  await page.locator('.view-area[aria-busy=false] .view-page .panel').first().waitFor();
  expect(await page.locator('.failure').count()).toBe(0);
  await page.close();
  await other.setInputFiles('input[type=file]', small);
  await untilShown(other);
  await other.getByRole('button', { name: 'Outrank', exact: true }).click();
  await deleteKept(other);
  expect(await keptFolders(other)).toBe(0);
});

test('where the browser gives no more room, a trace is opened in memory, and not kept', async () => {
  await visit();
  const session = await context.newCDPSession(page);
  const { usage = 0 } = await page.evaluate(() => navigator.storage.estimate());
  const { origin } = new URL(server.url);
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 100_000 });
  await choose(demo.trace);
  await untilShown(page);
  expect(await page.evaluate(() => localStorage.getItem('outrank.kept-traces') ?? '[]')).toBe('[]');
});

test('where the browser keeps no files, a trace is opened in memory', async () => {
  await page.addInitScript(() => {
    navigator.storage.getDirectory = () => Promise.reject(new Error('there is none'));
  });
  await visit();
  await choose(small);
  await untilShown(page);
});

test('neither the page nor its workers reach another server', async () => {
  await visit();
  await page.reload();
  const other = await serveFolder(root);
  const reached = await page.evaluate(async (url) => {
    const inPage = await fetch(url).then(
      () => 'reached',
      () => 'refused',
    );
    const [script] = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'));
    // A worker of the page's own, whose policy comes with its script.
    const headers = (await fetch(script?.name ?? '')).headers.get('content-security-policy');
    return { inPage, headers };
  }, other.url);
  await other.close();
  expect(reached.inPage).toBe('refused');
  expect(reached.headers).toContain("connect-src 'self' blob:;");
});

test('what cannot be opened is told with its name, and opening can be cancelled', async () => {
  await visit();
  const text = scratch.path('text.etl');
  writeFileSync(text, 'no trace at all');
  await choose(text);
  await page.getByText('text.etl: ').first().waitFor();
  expect(await page.locator('.failure').innerText()).not.toContain('/files/');
  await page.reload();
  const cut = scratch.path('cut.etl');
  writeFileSync(cut, readFileSync(demo.trace).subarray(0, 3_000_000));
  await choose(cut);
  await page
    .getByText(/warning/)
    .first()
    .waitFor({ timeout: 60_000 });
  await page.goto(server.url);
  await choose(demo.trace);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
});

test.skipIf(realTraces() === null)('real archives are opened', async () => {
  const path = [...(realTraces() ?? [])].find(([name]) => name.includes('net.4.5'))?.[1];
  if (path === undefined) throw new Error('there is no net.4.5.2.x64.etl.zip');
  await visit();
  await choose(path);
  await page.getByText('12.582 s').first().waitFor({ timeout: 120_000 });
});
