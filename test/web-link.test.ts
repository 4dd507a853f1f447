import { createReadStream } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { readLink } from '../shared/link/index.ts';
import { startBrowser } from './support/browser.ts';
import { run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { picture, Scratch, synth } from './support/places.ts';
import { servePage, type StaticServer } from './support/static-server.ts';

const scratch = new Scratch();
const trace = scratch.path('attention.etl');
let browser: Browser;
let page: Page;
let server: StaticServer;
/** A server that anybody may fetch files from. */
let files: Server;
let origin: string;
/** What it was asked for. */
const asked: string[] = [];

beforeAll(async () => {
  expect((await run(synth, ['attention', '-o', trace])).code).toBe(0);
  files = createServer((request, response) => {
    asked.push(request.url ?? '');
    const open = { 'access-control-allow-origin': '*' };
    if (request.url === '/attention.etl') createReadStream(trace).pipe(response.writeHead(200, open));
    else if (request.url === '/moved.etl')
      response.writeHead(302, { ...open, location: '/attention.etl' }).end();
    else if (request.url === '/closed.etl') response.writeHead(200).end('for its own pages');
    else response.writeHead(404, open).end();
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  server = await servePage();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
  files.close();
  scratch.remove();
});
beforeEach(async () => {
  asked.length = 0;
  await visit();
});

/** Visits the page in a browser that keeps nothing yet. */
async function visit(): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  page = await context.newPage();
  await page.goto(server.url);
  await page.evaluate(() => navigator.serviceWorker.ready);
}

/** Follows a link to a file of the server, up to where the page asks. */
async function follow(fragment: string): Promise<Locator> {
  await page.goto(`${server.url}#${fragment}`);
  await page.reload();
  const fetchIt = page.getByRole('button', { name: `Fetch it from ${new URL(origin).host}` });
  await fetchIt.waitFor();
  return fetchIt;
}

test('a link to a public file asks, fetches it, and goes on as a link', async () => {
  const errors = watchErrors(page);
  const fetchIt = await follow(`from=${encodeURIComponent(`${origin}/attention.etl`)}&view=ready-latency`);
  await page.getByText(`${origin}/attention.etl`).waitFor();
  await page.screenshot({ path: picture('web-link') });
  expect(asked).toEqual([]);
  await fetchIt.click();
  await page.locator('.view-heading h2', { hasText: 'Ready latency' }).waitFor({ timeout: OPENED_LIMIT_MS });
  expect(asked).toEqual(['/attention.etl']);

  await page.keyboard.press('Shift+C');
  const dialog = page.getByRole('dialog', { name: 'Link to this place' });
  const text = dialog.getByLabel('The link');
  await expect.poll(() => text.inputValue()).toContain('#3.');
  const link = await text.inputValue();
  expect(link.startsWith(`${server.url}#3.`)).toBe(true);
  const { state } = await readLink(link);
  expect(state).toMatchObject({ from: `${origin}/attention.etl`, trace: { name: 'attention.etl' } });

  // Somebody else follows it.
  expect(errors).toEqual([]);
  await page.context().close();
  await visit();
  await (await follow(link.slice(link.indexOf('#') + 1))).click();
  await page.locator('.view-heading h2', { hasText: 'Ready latency' }).waitFor({ timeout: OPENED_LIMIT_MS });
  expect(errors).toEqual([]);
  await page.context().close();
});

test.each([
  ['/moved.etl', 'it sends on to another address'],
  ['/closed.etl', 'lets no other page read its files (CORS)'],
  ['/none.etl', 'it answers 404'],
])('what cannot be fetched from %s is told', async (path, reason) => {
  await (await follow(`from=${encodeURIComponent(origin + path)}`)).click();
  await page.getByText(reason).waitFor();
  expect(asked).toEqual([path]);
  await page.context().close();
});

test('the worker that fetches reaches the one address that it was started for', async () => {
  const script = (
    await page.evaluate(async () => {
      const names = (await caches.keys()).filter((name) => name.startsWith('outrank-'));
      const cache = await caches.open(names[0] ?? '');
      return (await cache.keys()).map(({ url }) => url);
    })
  ).find((url) => url.includes('fetch-worker'));
  const reached = async (connect: string, address: string): Promise<string> =>
    page.evaluate(
      ([url, wanted]) =>
        new Promise((resolve) => {
          const worker = new Worker(url, { type: 'module' });
          worker.onmessage = ({ data }: MessageEvent<{ kind: string }>) => {
            if (data.kind !== 'note') resolve(data.kind);
          };
          const given = { address: wanted, sizeBytes: null, folder: null };
          worker.postMessage({ kind: 'call', name: 'fetch', call: 0, given });
        }),
      [`${script ?? ''}?connect=${encodeURIComponent(connect)}`, address] as const,
    );
  const file = `${origin}/attention.etl`;
  expect(await reached(file, file)).toBe('answer');
  expect(await reached(`${origin}/other.etl`, file)).toBe('failed');
  // No policy can be widened by what an address holds.
  expect(await reached('*', file)).toBe('failed');
  expect(await reached(`${origin}/`, file)).toBe('failed');
  expect(await reached(`${origin}/x; connect-src *`, file)).toBe('failed');
  expect(asked).toEqual(['/attention.etl']);
  await page.context().close();
});
