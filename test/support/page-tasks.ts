import type { Page } from 'playwright-core';
import { serve, startBrowser } from './browser.ts';
import { mainThreadTasks, startTracing } from './main-thread.ts';
import { untilTablesBuilt } from './page.ts';
import { Scratch } from './places.ts';

/** Opening a trace of 10 million switches and building all its tables takes minutes on a busy machine. */
const LIMIT_MS = 1_500_000;
/** A task of the page's main thread that takes longer is reported. */
const LONG_MS = 50;
/** So long after the last picture no other is expected. */
const RESTS_MS = 1_500;

/** Filters of views, by their titles: the label of each control, and what is chosen there. One after another, each alone. */
const FILTERS: Readonly<Record<string, readonly (readonly [label: string, value: string])[]>> = {
  'CPU usage, sampled': [
    ['Process', 'svc'],
    ['Mode', 'kernel'],
    ['By', 'thread'],
    ['By', 'rank-priority'],
    ['Frames', 'module'],
    ['Find', 'a'],
  ],
  'Context switches': [
    ['By', 'thread'],
    ['Process', 'svchost'],
  ],
};

/**
 * Prints for a trace in Chromium, of each view or of those with the given titles: when its picture was there after a click,
 * and the longest tasks of the page's main thread meanwhile; then the same for changed filters. First comes the opening itself.
 * The trace stays converted in `OUTRANK_CACHE`, if that is set; `OUTRANK_TABLES=later` does not wait for the tables.
 */
export async function bench(trace: string, ...titles: readonly string[]): Promise<void> {
  const scratch = new Scratch();
  const served = await serve(process.env.OUTRANK_CACHE ?? scratch.path('cache'), trace);
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(LIMIT_MS);
    const began = performance.now();
    await page.goto(served.url);
    const rail = page.getByRole('navigation', { name: 'Views' });
    await rail.getByRole('button').first().waitFor();
    console.log(`open after ${(performance.now() - began).toFixed(0)} ms`);
    const open = async (title: string) => {
      await step(page, title, () => rail.getByRole('button', { name: title, exact: true }).click());
    };
    if (process.env.OUTRANK_TABLES !== 'later') {
      await untilTablesBuilt(page);
      console.log(`all tables after ${(performance.now() - began).toFixed(0)} ms`);
    }
    // A view that is in use already is not drawn anew: the first one comes last.
    const [first = '', ...others] = await rail.getByRole('button').allInnerTexts();
    for (const title of titles.length > 0 ? titles : [...others, first]) {
      await open(title);
      for (const [label, value] of FILTERS[title] ?? []) {
        const control = page
          .locator(`form.params label:has(> span:text-is("${label}"))`)
          .locator('input, select');
        const isText = (await control.getAttribute('type')) !== null;
        await step(page, `${title}, ${label} ${value}`, async () => {
          if (isText) await control.fill(value);
          else await control.selectOption(value);
        });
        await step(page, `${title}, without it`, () => page.getByRole('button', { name: 'Reset' }).click());
      }
    }
  } finally {
    await browser.close();
    await served.end();
    scratch.remove();
  }
}

/** Prints when pictures came after something was done, and the longest tasks until none came any more. */
async function step(page: Page, name: string, act: () => Promise<void>): Promise<void> {
  const traced = await startTracing(page);
  const watch = await page.evaluateHandle(watchPictures);
  await act();
  const { first, last } = await watch.evaluate((pictures, rests) => pictures.untilQuiet(rests), RESTS_MS);
  // The thread of the page is known by a frame of it.
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const long = mainThreadTasks(await traced())
    .filter(({ dur = 0 }) => dur / 1000 >= LONG_MS)
    .sort((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0))
    .slice(0, 5)
    .map(({ dur = 0, tdur = 0 }) => `${(dur / 1000).toFixed(0)} (${(tdur / 1000).toFixed(0)})`);
  const tasks = long.length === 0 ? 'none' : long.join(', ');
  const when = first === last ? '' : `, the last after ${last.toFixed(0)} ms`;
  console.log(
    `${name}: picture after ${first.toFixed(0)} ms${when}; tasks over ${LONG_MS} ms (of processor): ${tasks}`,
  );
}

/** Runs in the page: when, after the next input, pictures of a view came, in ms. */
function watchPictures() {
  let [began, first, last] = [0, 0, 0];
  const onInput = () => (began ||= performance.now());
  for (const kind of ['click', 'input', 'change'])
    document.addEventListener(kind, onInput, { capture: true });
  const observer = new MutationObserver((changes) => {
    const isPicture = ({ target, addedNodes }: MutationRecord) =>
      target instanceof Element && target.classList.contains('view-canvas') && addedNodes.length > 0;
    if (began === 0 || !changes.some(isPicture)) return;
    last = performance.now();
    first ||= last;
  });
  observer.observe(document, { childList: true, subtree: true });
  const untilQuiet = async (rests: number) => {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const busy = document.querySelector('.view-area[aria-busy=true], .view-tables') !== null;
      if (first !== 0 && !busy && performance.now() - last > rests) break;
    }
    observer.disconnect();
    return { first: first - began, last: last - began };
  };
  return { untilQuiet };
}
