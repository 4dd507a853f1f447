import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { hasS3Server, S3_ACCESS, startS3Server } from '../app/server/store/testing.ts';
import { serve, startBrowser } from './support/browser.ts';
import { run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { demo, OUTRANK, root, Scratch } from './support/places.ts';

const scratch = new Scratch();
const tokens = scratch.path('tokens.json');
const ends: (() => Promise<unknown>)[] = [];
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends.length = 0;
});
afterAll(async () => {
  await browser.close();
  scratch.remove();
});

/** Runs a program; it ends after the test. */
function start(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ends.push(async () => {
    const gone = once(child, 'exit');
    child.kill('SIGINT');
    await gone;
  });
  return child;
}

/** A browser of somebody else: no cookies, no storage. */
async function newProfile(): Promise<{ page: Page; context: BrowserContext; errors: readonly string[] }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  const page = await context.newPage();
  return { page, context, errors: watchErrors(page) };
}

/**
 * What a view has drawn, once it and all tables are loaded: elements, and the pixels of canvases. A screenshot differs in a few pixels of
 * round corners on a busy machine.
 */
async function drawn(page: Page): Promise<readonly string[]> {
  const wait = { timeout: OPENED_LIMIT_MS };
  await page.locator('.panel-row').first().waitFor(wait);
  await page.locator('.background-tables').waitFor({ ...wait, state: 'detached' });
  await page.locator('.view-area[aria-busy=false]').waitFor(wait);
  return page
    .locator('.view-canvas')
    .evaluate((view) => [
      view.innerHTML,
      ...[...view.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL()),
    ]);
}

async function uploadAndOpen(store: string, env: Readonly<Record<string, string>>): Promise<void> {
  const given = await run(process.execPath, [...OUTRANK, 'token', 'add', 'ann', '--tokens', tokens]);
  const token = given.stdout.trim();
  const work = scratch.path(`work-${store.length}`);
  const where = ['--store', store, '--work', work, '--lake', 'off'];
  const args = ['serve', ...where, '--tokens', tokens, '--port', '0'];
  const lines = createInterface({ input: start(process.execPath, [...OUTRANK, ...args], env).stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const origin = /http:\/\/\S+/.exec(line)?.[0] ?? '';
  const uploaded = await run(process.execPath, [...OUTRANK, 'upload', demo.trace, '--yes', '--to', origin], {
    OUTRANK_TOKEN: token,
  });
  const link = `${uploaded.stdout.trim()}#view=cpu-usage&range=20000000000-52000000000`;
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/t\/[0-9a-f]{64}#/);

  const served = await serve(scratch.path('cache'), demo.trace);
  ends.push(() => served.end());
  const own = await newProfile();
  await own.page.goto(`${served.url}${new URL(link).hash}`);
  await drawn(own.page);

  const ann = await newProfile();
  await ann.page.goto(link);
  await ann.page.getByLabel('Token').fill(token);
  await ann.page.getByRole('button', { name: 'Sign in' }).click();
  const sent = await drawn(own.page);
  await expect.poll(() => drawn(ann.page), { timeout: OPENED_LIMIT_MS }).toEqual(sent);
  // What a browser says of the answer that asked it for the token.
  expect(ann.errors.filter((error) => !error.includes('401'))).toEqual([]);

  await ann.page.getByTitle('All traces of this server').click();
  await ann.page.getByRole('link', { name: 'lock-screen.etl' }).waitFor();
  for (const { context } of [own, ann]) await context.close();
}

test('a link to a trace in a folder shows in another profile what its sender sees', async () => {
  await uploadAndOpen(scratch.path('store'), {});
});

test.skipIf(!hasS3Server)('so does a link to a trace in an object storage', async () => {
  const { child, endpoint } = await startS3Server(scratch.path('objects'), 'bucket');
  ends.push(() => Promise.resolve(child.kill('SIGKILL')));
  await uploadAndOpen('s3://bucket/team', {
    ...S3_ACCESS,
    AWS_ENDPOINT_URL_S3: endpoint,
  });
});
