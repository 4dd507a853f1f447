import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, startBrowser } from './support/browser.ts';
import { startDesktop } from './support/desktop.ts';
import { run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { Scratch, synth } from './support/places.ts';
import { tellQueryStory } from './support/query-story.ts';

const scratch = new Scratch();
const trace = scratch.path('minimal.etl');
beforeAll(async () => {
  expect((await run(synth, ['minimal', '-o', trace])).code).toBe(0);
});
afterAll(() => scratch.remove());

test('in Chromium: complete, fix at the error, run, sort, filter, copy, save, follow a cell, tabs, history, a runaway, a stranger’s query', async () => {
  const browser = await startBrowser();
  const served = await serve(scratch.path('cache'), trace);
  try {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await (await browser.newContext({ permissions })).newPage();
    await page.goto(served.url);
    await tellQueryStory(page, {
      name: 'browser',
      saved: async (save) => {
        const download = page.waitForEvent('download');
        await save();
        return readFile(await (await download).path());
      },
      copied: () => page.evaluate(() => navigator.clipboard.readText()),
    });
    await page.setViewportSize({ width: 900, height: 700 });
    const limits = page.locator('.limits label');
    const heights = await limits.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(heights.length).toBe(2);
    // In a narrow window a unit stays on the line of its number.
    expect(Math.max(...heights)).toBeLessThan(36);
  } finally {
    await browser.close();
    await served.end();
  }
});

test('in Electron: the same story', async () => {
  const { app, page } = await startDesktop(scratch, trace);
  try {
    await tellQueryStory(page, {
      name: 'desktop',
      saved: async (save) => {
        const path = scratch.path('query');
        // The system's dialog for the file's place cannot be reached from here.
        const saved = app.evaluate(
          ({ session }, place) =>
            new Promise((resolve) => {
              session.defaultSession.once('will-download', (_event, item) => {
                item.setSavePath(place);
                item.once('done', (_done, state) => resolve(state));
              });
            }),
          path,
        );
        await save();
        expect(await saved).toBe('completed');
        return readFile(path);
      },
      copied: () => app.evaluate(({ clipboard }) => clipboard.readText()),
    });
  } finally {
    await app.close();
  }
});

test('what each view shows opens in the query page as SQL, and runs', async () => {
  const browser = await startBrowser();
  const served = await serve(scratch.path('cache'), trace);
  try {
    const page = await browser.newPage();
    const errors = watchErrors(page);
    await page.goto(served.url);
    const rail = page.getByRole('navigation', { name: 'Views' });
    await rail.getByRole('button').first().waitFor({ timeout: OPENED_LIMIT_MS });
    const outcomes: [string, string][] = [];
    for (const title of await rail.getByRole('button').allInnerTexts()) {
      await rail.getByRole('button', { name: title, exact: true }).click();
      await page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor();
      await page.locator('.view-area[aria-busy=false] .view-page').waitFor({ timeout: OPENED_LIMIT_MS });
      await page.getByRole('button', { name: 'Open as SQL' }).click();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      const result = page.getByRole('region', { name: 'Result' });
      await result.getByText(/^(Failed|[\d\s,]+ rows? in)/).waitFor({ timeout: OPENED_LIMIT_MS });
      const told = await result.getByRole('status').first().innerText();
      outcomes.push([
        title,
        told.startsWith('Failed') ? await result.getByRole('alert').innerText() : 'rows',
      ]);
    }
    expect(outcomes.length).toBeGreaterThan(20);
    expect(outcomes).toEqual(outcomes.map(([title]) => [title, 'rows']));
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
    await served.end();
  }
});
