import type { Locator, Page } from 'playwright-core';
import { serve, startBrowser } from './browser.ts';
import { startDesktop } from './desktop.ts';
import { mainThreadTasks, startTracing } from './main-thread.ts';
import { untilTablesBuilt } from './page.ts';
import { electronFolder, Scratch } from './places.ts';
import { ask } from './query-story.ts';

/** Opening a trace of 5 million switches takes a minute on an idle machine. */
const LIMIT_MS = 300_000;
const ROWS = 5_000_000;
const MANY_ROWS = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${ROWS})
SELECT i, i * 1000 AS ts, i % 97 AS dur, 'thread ' || (i % 500) AS thread FROM n`;
/** A cross join of the cube of the runs. */
const RUNAWAY = 'SELECT count(*) FROM etw_run AS a, etw_run AS b, etw_run AS c, etw_run AS d';
const CANCELLED_TIMES = 3;
const SCROLLED_STEPS = 300;
const DRAGGED_STEPS = 100;
const SCROLLBAR_PX = 15;
/** Texts, and the character that is typed after each, which opens or narrows the list of what fits. */
const TYPED = [
  ['SELECT * FROM ', 'e'],
  ['SELECT * FROM etw_', 'r'],
  ['SELECT ', 's'],
  ['INCLUDE PERFETTO MODULE etw', '.'],
  ['SELECT count(*) FROM etw_run WHERE ', 'p'],
] as const;
const TYPED_TIMES = 10;
/** How soon after a key what fits is to be seen, in ms. */
const COMPLETED_MS = 50;

/**
 * Prints what the query page takes, in Chromium or in Electron: completion, a long result, and the end of a runaway query. The
 * trace stays converted in `OUTRANK_CACHE`, if that is set.
 */
export async function bench(trace: string, where = 'browser'): Promise<void> {
  const scratch = new Scratch();
  const { page, end } =
    where === 'desktop' ? await openDesktop(scratch, trace) : await openBrowser(scratch, trace);
  try {
    page.setDefaultTimeout(LIMIT_MS);
    await untilTablesBuilt(page);
    await page.getByRole('button', { name: 'Query', exact: true }).click();
    await page.locator('.cm-content').waitFor();
    await complete(page);
    await showManyRows(page);
    for (let time = 0; time < CANCELLED_TIMES; time++) await cancelRunaway(page);
  } finally {
    await end();
    scratch.remove();
  }
}

interface Opened {
  readonly page: Page;
  readonly end: () => Promise<void>;
}

async function openBrowser(scratch: Scratch, trace: string): Promise<Opened> {
  const served = await serve(process.env.OUTRANK_CACHE ?? scratch.path('cache'), trace);
  // The scrollbar is to be dragged.
  const browser = await startBrowser({ ignoreDefaultArgs: ['--hide-scrollbars'] });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(served.url);
  const end = async () => {
    await browser.close();
    await served.end();
  };
  return { page, end };
}

async function openDesktop(scratch: Scratch, trace: string): Promise<Opened> {
  process.env.ELECTRON_OVERRIDE_DIST_PATH ??= electronFolder;
  const { app, page } = await startDesktop(scratch, trace);
  return { page, end: () => app.close() };
}

/** From a key to the list of what fits, in the page's document and drawn; and what the page's main thread did for it. */
async function complete(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const processor_ms = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
  const keys: { readonly found: number; readonly drawn: number; readonly processor: number }[] = [];
  for (const [before, typed] of TYPED) {
    let options = 0;
    for (let time = 0; time < TYPED_TIMES; time++) {
      await page.locator('.cm-content').focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(before);
      // The list before may still be on its way.
      await page.waitForTimeout(300);
      const open = page.locator('.cm-tooltip-autocomplete');
      if (await open.isVisible()) await page.keyboard.press('Escape');
      const watch = await page.evaluateHandle(msToList);
      const before_ms = await processor_ms();
      await page.keyboard.type(typed);
      const took = await watch.evaluate(({ took }) => took);
      keys.push({ ...took, processor: (await processor_ms()) - before_ms });
      options = await page.locator('.cm-tooltip-autocomplete li').count();
    }
    const of = keys.slice(-TYPED_TIMES).map(({ drawn }) => drawn);
    console.log(`completion of "${before}${typed}": ${options} shown; drawn after ${list(of)}`);
    await page.keyboard.press('Escape');
  }
  for (const [what, of] of [
    ['in the document', keys.map(({ found }) => found)],
    ['drawn', keys.map(({ drawn }) => drawn)],
    ['in processor time of the main thread', keys.map(({ processor }) => processor)],
  ] as const)
    console.log(`completion ${what}: ${spread(of)}`);
  await session.detach();
}

/** Runs in the page: the times from the next key until a list of completions stands in the document, and is drawn, in ms. */
function msToList(): { took: Promise<{ found: number; drawn: number }> } {
  const took = new Promise<{ found: number; drawn: number }>((resolve) => {
    let pressed = 0;
    const observer = new MutationObserver(() => {
      if (pressed === 0 || document.querySelector('.cm-tooltip-autocomplete li') === null) return;
      observer.disconnect();
      const found = performance.now() - pressed;
      // A message that is sent in a frame comes once that frame is drawn.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve({ found, drawn: performance.now() - pressed });
      requestAnimationFrame(() => port2.postMessage(null));
    });
    observer.observe(document, { childList: true, subtree: true });
    document.addEventListener('keydown', (event) => (pressed = event.timeStamp), {
      capture: true,
      once: true,
    });
  });
  return { took };
}

/** The longest task of the page's main thread while rows come, and while they are scrolled through. */
async function showManyRows(page: Page): Promise<void> {
  await page.getByTitle('Rows after these are left out').getByRole('spinbutton').fill(String(ROWS));
  await page.getByTitle('A query that takes longer is ended').getByRole('spinbutton').fill('600');
  const startedAtMs = Date.now();
  await longestTask(page, 'while the rows come', async () => {
    await ask(page, MANY_ROWS);
    await page.getByText(/^5[\s,.]?000[\s,.]?000 rows in/).waitFor();
  });
  console.log(`all rows were there after ${Date.now() - startedAtMs} ms; ${await memory(page)}`);
  const table = page.locator('.result-table');
  await table.hover();
  await longestTask(page, 'while a wheel scrolls', async () => {
    for (let step = 0; step < SCROLLED_STEPS; step++) await page.mouse.wheel(0, 400);
  });
  await longestTask(page, 'while the scrollbar is dragged to the middle', async () => {
    const { x, y, width, height } = await boxOf(table);
    const [bar, top] = [x + width - SCROLLBAR_PX / 2, y + 1.5 * SCROLLBAR_PX];
    await page.mouse.move(bar, top);
    await page.mouse.down();
    await page.mouse.move(bar, y + height / 2, { steps: DRAGGED_STEPS });
    await page.mouse.up();
  });
  console.log(`the first row in sight then: ${await table.locator('.row').first().innerText()}`);
  await longestTask(page, 'while jumping all over the rows', () =>
    table.evaluate(async (table, steps) => {
      for (let step = 0; step < steps; step++) {
        table.scrollTop = ((step * 37) % steps) * (table.scrollHeight / steps);
        await new Promise(requestAnimationFrame);
      }
    }, SCROLLED_STEPS),
  );
  await longestTask(page, 'while a column is sorted', async () => {
    await page.getByRole('columnheader', { name: 'dur' }).getByRole('button').click();
    await page.getByText(/^5[\s,.]?000[\s,.]?000 shown/).waitFor();
  });
  console.log(`after all that: ${await memory(page)}`);
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('nothing is drawn');
  return box;
}

/** What the page's scripts hold: objects and texts, and apart from these the arrays of numbers. */
async function memory(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  const [objects, arrays] = [usedSize, backingStorageSize].map((bytes) => (bytes / 1e6).toFixed(0));
  return `${objects} MB of objects, ${arrays} MB of arrays`;
}

/** From Cancel to the word that it was cancelled, and until the engine has the trace again. */
async function cancelRunaway(page: Page): Promise<void> {
  await ask(page, RUNAWAY);
  await page.getByText(/^Running/).waitFor();
  await longestTask(page, 'while a runaway query runs and is cancelled', async () => {
    await page.waitForTimeout(2_000);
    const watch = await page.evaluateHandle(msToCancelled);
    const reloading = page.locator('.reloading').waitFor();
    const startedAtMs = Date.now();
    await page.getByRole('button', { name: 'Cancel' }).first().click();
    const took_ms = await watch.evaluate(({ took }) => took);
    await reloading;
    const words = await page.locator('.reloading').innerText();
    await page.locator('.reloading').waitFor({ state: 'detached' });
    const back_ms = Date.now() - startedAtMs;
    console.log(`cancelled after ${took_ms.toFixed(0)} ms; "${words}" shown; trace back after ${back_ms} ms`);
  });
}

/** Runs in the page: the time from the next click until a run is told to be cancelled, in ms. */
function msToCancelled(): { took: Promise<number> } {
  const took = new Promise<number>((resolve) => {
    let clicked = 0;
    const observer = new MutationObserver(() => {
      const told = document.querySelector('.query-error')?.textContent;
      if (clicked === 0 || told !== 'It was cancelled.') return;
      observer.disconnect();
      resolve(performance.now() - clicked);
    });
    observer.observe(document, { childList: true, subtree: true, characterData: true });
    document.addEventListener('click', (event) => (clicked = event.timeStamp), { capture: true, once: true });
  });
  return { took };
}

/** Prints the longest task of the page's main thread during some work: by the clock, and in processor time. */
async function longestTask(page: Page, when: string, work: () => Promise<void>): Promise<void> {
  const traced = await startTracing(page);
  await work();
  // The thread of the page is known by a frame of it.
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const tasks = mainThreadTasks(await traced());
  const longest_ms = (of: (task: (typeof tasks)[number]) => number) =>
    (Math.max(...tasks.map(of)) / 1000).toFixed(1);
  const wall = longest_ms(({ dur = 0 }) => dur);
  const processor = longest_ms(({ tdur = 0 }) => tdur);
  const long = tasks.filter(({ tdur = 0 }) => tdur > 50_000).length;
  console.log(
    `longest task ${when}: ${wall} ms, ${processor} ms of processor time; of ${tasks.length}, ${long} beyond 50 ms`,
  );
}

function spread(values_ms: readonly number[]): string {
  const sorted = [...values_ms].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
  const within = sorted.filter((value) => value <= COMPLETED_MS).length;
  return `half within ${at(0.5)} ms, ${within} of ${sorted.length} within ${COMPLETED_MS} ms, the longest ${at(1)} ms`;
}

function list(values: readonly number[]): string {
  return `${values.map((value) => value.toFixed(0)).join(', ')} ms`;
}
