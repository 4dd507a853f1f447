import type { Page } from 'playwright-core';
import { Scratch } from './places.ts';
import { serve, startBrowser } from './browser.ts';
import { untilTablesBuilt } from './page.ts';
import { mainThreadTasks, startTracing, type TraceEvent } from './main-thread.ts';

/** What one gesture took, frame by frame, in ms. */
export interface Gesture {
  /** Times between a frame and the one before it. */
  readonly apart: readonly number[];
  /**
   * What the page's main thread spent on each frame, in processor time, which other programs hardly change: input,
   * scripts, style, layout, paint.
   */
  readonly work: readonly number[];
}

export const FRAME_MS = 1000 / 60;
/** Frames begin at multiples of the display's period: one that comes a little late is not a dropped one. */
export const DROPPED_MS = 1.5 * FRAME_MS;
const GESTURE_MS = 2_000;
/** A touchpad reports its movements so often. */
const WHEEL_EVERY_MS = 8;
/** Opening a trace of 5 million switches takes a minute on an idle machine. */
export const OPENED_LIMIT_MS = 600_000;
/**
 * Pans and zooms with real mouse input in the first chart over time of each view, or of those whose titles are given, and
 * prints what the frames took. No table is being built then. The traces stay converted in `OUTRANK_CACHE`, if that is set.
 */
export async function bench(trace: string, ...titles: readonly string[]): Promise<void> {
  const scratch = new Scratch();
  const served = await serve(process.env.OUTRANK_CACHE ?? scratch.path('cache'), trace);
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(OPENED_LIMIT_MS);
    await page.goto(served.url);
    const rail = page.getByRole('navigation', { name: 'Views' });
    await rail.getByRole('button').first().waitFor();
    await untilTablesBuilt(page);
    console.log(
      'view, gesture: frames, share on time; apart p50, p95, p99; work p50, p95, p99, share over 16.7 ms',
    );
    for (const title of titles.length > 0 ? titles : await rail.getByRole('button').allInnerTexts()) {
      await rail.getByRole('button', { name: title, exact: true }).click();
      await settled(page, title);
      const plot = page.locator('.view-page .plot').first();
      if (!(await plot.isVisible())) {
        console.log(`${title}: no chart`);
        continue;
      }
      for (const gesture of ['wheel', 'drag'] as const) {
        if (gesture === 'drag') await zoomIn(page, title);
        console.log(`${title}, ${gesture}: ${report(await record(page, gesture))}`);
        await settled(page, title);
      }
      await page.keyboard.press('0');
    }
  } finally {
    await browser.close();
    await served.end();
    scratch.remove();
  }
}

/** Waits until a view is drawn, and rests. */
export async function settled(page: Page, title: string): Promise<void> {
  await page.locator('.view-heading h2').getByText(title, { exact: true }).waitFor();
  await page.waitForTimeout(400);
  await page.locator('.view-area[aria-busy=false] .view-page').waitFor();
  await page.waitForTimeout(200);
}

/** Zooms into the middle: a plot that shows all cannot be panned. */
async function zoomIn(page: Page, title: string): Promise<void> {
  await page.keyboard.down('Control');
  for (let step = 0; step < 4; step++) await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await settled(page, title);
}

/** Zooms with Ctrl + wheel, or pans with Shift + drag, while the page notes its frames. */
async function record(page: Page, gesture: 'wheel' | 'drag'): Promise<Gesture> {
  const box = await page.locator('.view-page .plot').first().boundingBox();
  if (box === null) throw new Error('the chart has no place');
  const middle = { x: box.x + box.width / 2, y: box.y + Math.min(box.height, 120) / 2 };
  await page.mouse.move(middle.x, middle.y);
  const traced = await startTracing(page);
  const apart = page.evaluate(noteFrames, GESTURE_MS);
  const until = Date.now() + GESTURE_MS;
  await page.keyboard.down(gesture === 'wheel' ? 'Control' : 'Shift');
  if (gesture === 'drag') await page.mouse.down();
  let sent: Promise<unknown> = Promise.resolve();
  for (let step = 0; Date.now() < until; step++) {
    if (gesture === 'wheel') {
      // A touchpad does not wait for an answer.
      sent = Promise.all([sent, page.mouse.wheel(0, step % 80 < 40 ? -10 : 10)]);
      await page.waitForTimeout(WHEEL_EVERY_MS);
    } else await page.mouse.move(middle.x + 200 * Math.sin(step / 10), middle.y);
  }
  await sent;
  const work = workByFrame(await traced());
  if (gesture === 'drag') await page.mouse.up();
  await page.keyboard.up(gesture === 'wheel' ? 'Control' : 'Shift');
  return { apart: await apart, work };
}

/** Runs in the page, and gives the times between frames in ms. */
export function noteFrames(length_ms: number): Promise<number[]> {
  return new Promise((resolve) => {
    const apart: number[] = [];
    let [first, before] = [0, 0];
    const onFrame = (time: number) => {
      if (before > 0) apart.push(time - before);
      else first = time;
      before = time;
      if (time - first < length_ms) requestAnimationFrame(onFrame);
      else resolve(apart);
    };
    requestAnimationFrame(onFrame);
  });
}

/** The processor time of the tasks of the page's main thread, summed up to and with each that runs a frame, in ms. */
export function workByFrame(events: readonly TraceEvent[]): number[] {
  const frames = events.filter(({ name }) => name === 'FireAnimationFrame').sort((a, b) => a.ts - b.ts);
  const tasks = mainThreadTasks(events);
  const work: number[] = [];
  let [next, sum_us] = [0, 0];
  for (const { ts, dur = 0, tdur = 0 } of tasks) {
    sum_us += tdur;
    if ((frames[next]?.ts ?? Infinity) > ts + dur) continue;
    while ((frames[next]?.ts ?? Infinity) <= ts + dur) next++;
    work.push(sum_us / 1000);
    sum_us = 0;
  }
  return work;
}

/** The part of some values that is larger than a limit. */
export function partOver(values: readonly number[], limit: number): number {
  return values.filter((value) => value > limit).length / values.length;
}

/** The figures of a gesture in one line. */
export function report({ apart, work }: Gesture): string {
  const ms = (values: readonly number[]) =>
    [0.5, 0.95, 0.99].map((part) => `${quantile(values, part).toFixed(1)} ms`).join(', ');
  const share = (part: number) => `${(100 * part).toFixed(1)} %`;
  return (
    `${apart.length}, ${share(1 - partOver(apart, DROPPED_MS))}; ${ms(apart)}; ` +
    `${ms(work)}, ${share(partOver(work, FRAME_MS))}`
  );
}

/** The value that this part of some values reaches at most. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? NaN;
}
