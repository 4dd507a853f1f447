import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { serve, startBrowser } from './browser.ts';
import {
  DROPPED_MS,
  FRAME_MS,
  noteFrames,
  partOver,
  quantile,
  report,
  settled,
  workByFrame,
  type Gesture,
} from './frames.ts';
import type { Measured } from '../../app/host/testing/measured.ts';
import { startTracing } from './main-thread.ts';
import { untilTablesBuilt } from './page.ts';
import { Scratch } from './places.ts';

/** What the hands do, in turn, for so long each; one after the other they make a minute. */
const HANDS = ['zooms', 'pans', 'scrolls', 'hovers'] as const;
const HAND_MS = 15_000;
/** Rules run for minutes on a trace of 50 million switches. */
const OPENED_LIMIT_MS = 3_600_000;
/** A touchpad reports its movements so often. */
const EVERY_MS = 8;

/**
 * Zooms, pans, scrolls and hovers in the timeline for a minute, with real input, and prints what the frames took, how long the picture
 * took to be complete after a hand had rested, and the memory of the page. No table is being built then, and no rule runs. The traces stay
 * converted in `OUTRANK_CACHE`, if that is set.
 */
export async function bench(trace: string): Promise<Measured[]> {
  const scratch = new Scratch();
  const served = await serve(process.env.OUTRANK_CACHE ?? scratch.path('cache'), trace);
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
    page.setDefaultTimeout(OPENED_LIMIT_MS);
    await page.goto(served.url);
    const rail = page.getByRole('navigation', { name: 'Views' });
    await rail.getByRole('button').first().waitFor();
    // While rules run, they take a processor and the engine: they run once for a trace.
    const opened = Date.now();
    await page.getByText(/found by \d+ rules/).waitFor();
    console.log(`rules ran for ${((Date.now() - opened) / 1000).toFixed(1)} s`);
    const before_mib = await memory_mib(browser);
    const start = Date.now();
    await rail.getByRole('button', { name: 'Timeline', exact: true }).click();
    await page.locator('.timeline-tracks').waitFor();
    console.log(`first picture after ${((Date.now() - start) / 1000).toFixed(1)} s`);
    await settled(page, 'Timeline');
    console.log(`causes judged after ${((Date.now() - start) / 1000).toFixed(1)} s`);
    await untilTablesBuilt(page);
    console.log('hand: frames, share on time; apart p50, p95, p99; work p50, p95, p99, share over 16.7 ms');
    const gestures: Gesture[] = [];
    for (const hand of HANDS) {
      const traced = await startTracing(page);
      const apart = page.evaluate(noteFrames, HAND_MS);
      await moveFor(page, hand, HAND_MS);
      const gesture = { apart: await apart, work: workByFrame(await traced()) };
      console.log(`${hand}: ${report(gesture)}`);
      gestures.push(gesture);
    }
    const all = {
      apart: gestures.flatMap(({ apart }) => apart),
      work: gestures.flatMap(({ work }) => work),
    };
    const rest_ms = await restMs(page);
    const page_mib = await memory_mib(browser);
    console.log(`all: ${report(all)}`);
    console.log(`complete after the hand rests: ${rest_ms.map((ms) => `${ms} ms`).join(', ')}`);
    console.log(`memory: ${page_mib} MiB, ${before_mib} MiB before the view`);
    const ms = (work: readonly number[]) => `${quantile(work, 0.95).toFixed(1)} ms`;
    const within = (values: readonly number[], limit_ms: number) =>
      `${(100 * (1 - partOver(values, limit_ms))).toFixed(1)} %`;
    const rows = {
      'processor time for a frame of a minute of zooming, panning, scrolling and hovering, 95 %': ms(
        all.work,
      ),
      [`the same of each: ${HANDS.join(', ')}`]: gestures.map(({ work }) => ms(work)).join(', '),
      'frames of at most 16.7 ms of processor time in that minute': within(all.work, FRAME_MS),
      'frames of at most 25 ms of processor time in that minute': within(all.work, DROPPED_MS),
      'frames on time in that minute': within(all.apart, DROPPED_MS),
      'all detail after the hand rests, of 8 the longest': `${Math.max(...rest_ms)} ms`,
      'memory of the page': `${page_mib} MiB`,
    };
    return Object.entries(rows).map(([measure, value]) => ({
      area: 'Pan and zoom',
      measure: `Timeline: ${measure}`,
      value,
    }));
  } finally {
    await browser.close();
    await served.end();
    scratch.remove();
  }
}

async function middleOf(page: Page): Promise<{ readonly x: number; readonly y: number }> {
  const box = await page.locator('.timeline-tracks .plot').boundingBox();
  if (box === null) throw new Error('the timeline has no place');
  return { x: box.x + box.width * 0.6, y: box.y + box.height / 2 };
}

async function moveFor(page: Page, hand: (typeof HANDS)[number], length_ms: number): Promise<void> {
  const { mouse, keyboard } = page;
  const { x, y } = await middleOf(page);
  await mouse.move(x, y);
  if (hand === 'zooms') await keyboard.down('Control');
  if (hand === 'pans') {
    await zoom(page, 12);
    await keyboard.down('Shift');
    await mouse.down();
  }
  let sent: Promise<unknown> = Promise.resolve();
  for (let step = 0, until = Date.now() + length_ms; Date.now() < until; step++) {
    // A touchpad does not wait for an answer.
    if (hand === 'zooms') sent = Promise.all([sent, mouse.wheel(0, step % 400 < 200 ? -12 : 12)]);
    else if (hand === 'scrolls') sent = Promise.all([sent, mouse.wheel(0, step % 400 < 200 ? 40 : -40)]);
    else if (hand === 'pans') await mouse.move(x + 300 * Math.sin(step / 40), y);
    else await mouse.move(x + 300 * Math.sin(step / 40), y + 200 * Math.cos(step / 33));
    await page.waitForTimeout(EVERY_MS);
  }
  await sent;
  if (hand === 'zooms') await keyboard.up('Control');
  if (hand === 'pans') {
    await mouse.up();
    await keyboard.up('Shift');
  }
}

async function zoom(page: Page, steps: number): Promise<void> {
  await page.keyboard.down('Control');
  for (let step = 0; step < steps; step++) await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
}

/** How long after the last of some steps of a zoom the picture has all its detail. */
async function restMs(page: Page): Promise<number[]> {
  const found: number[] = [];
  for (let round = 0; round < 8; round++) {
    await page.keyboard.press('0');
    await page.waitForTimeout(500);
    await zoom(page, 1 + round * 2);
    found.push(
      await page.evaluate(async () => {
        const start = performance.now();
        const tracks = document.querySelector('.timeline-tracks');
        while (tracks?.getAttribute('aria-busy') !== 'false')
          await new Promise((resolve) => setTimeout(resolve, 4));
        return Math.round(performance.now() - start);
      }),
    );
  }
  return found;
}

/** What the renderers of a browser take, in MiB: the page with its workers is one of them. */
async function memory_mib(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const bytes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0));
  return Math.round(Math.max(0, ...bytes) / 1024);
}
