import type { Page } from 'playwright-core';
import { Scratch } from './places.ts';
import { serve, startBrowser } from './browser.ts';

/** What one frame took, in ms. */
interface Frame {
  /** Since the frame before it. */
  readonly apart: number;
  /** From the frame's begin to the end of its painting on the main thread. */
  readonly work: number;
}

const FRAME_MS = 1000 / 60;
/** Frames begin at multiples of the display's period: one that comes a little late is not a dropped one. */
const DROPPED_MS = 1.5 * FRAME_MS;
const GESTURE_MS = 2_000;
/** Opening a trace of 5 million switches takes a minute on an idle machine. */
const OPENED_LIMIT_MS = 600_000;

/**
 * Pans and zooms with real mouse input in the first chart over time of each view, and prints what the frames took.
 * The traces stay converted in `OUTRANK_CACHE`, if that is set.
 */
export async function bench(trace: string): Promise<void> {
  const scratch = new Scratch();
  const served = await serve(process.env.OUTRANK_CACHE ?? scratch.path('cache'), trace);
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(OPENED_LIMIT_MS);
    await page.goto(served.url);
    const rail = page.getByRole('navigation', { name: 'Views' }).getByRole('button');
    await rail.first().waitFor();
    console.log('view, gesture: frames; apart p50, p95, dropped; work p50, p95, share over 16.7 ms');
    for (const title of await rail.allInnerTexts()) {
      await rail.filter({ hasText: title }).click();
      await settled(page, title);
      const plot = page.locator('.view-page .plot').first();
      if (!(await plot.isVisible())) {
        console.log(`${title}: no chart`);
        continue;
      }
      for (const gesture of ['wheel', 'drag'] as const) {
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

async function settled(page: Page, title: string): Promise<void> {
  await page.locator('.view-heading h2', { hasText: title }).waitFor();
  await page.waitForTimeout(400);
  await page.locator('.view-area[aria-busy=false] .view-page').waitFor();
  await page.waitForTimeout(200);
}

/** Zooms in with Ctrl + wheel, or pans with Shift + drag, while the page notes its frames. */
async function record(page: Page, gesture: 'wheel' | 'drag'): Promise<readonly Frame[]> {
  const box = await page.locator('.view-page .plot').first().boundingBox();
  if (box === null) throw new Error('the chart has no place');
  const middle = { x: box.x + box.width / 2, y: box.y + Math.min(box.height, 120) / 2 };
  await page.mouse.move(middle.x, middle.y);
  const frames = page.evaluate(noteFrames, GESTURE_MS);
  const until = Date.now() + GESTURE_MS;
  await page.keyboard.down(gesture === 'wheel' ? 'Control' : 'Shift');
  if (gesture === 'drag') await page.mouse.down();
  for (let step = 0; Date.now() < until; step++) {
    if (gesture === 'wheel') await page.mouse.wheel(0, step % 40 < 20 ? -20 : 20);
    else await page.mouse.move(middle.x + 200 * Math.sin(step / 10), middle.y);
  }
  if (gesture === 'drag') await page.mouse.up();
  await page.keyboard.up(gesture === 'wheel' ? 'Control' : 'Shift');
  return frames;
}

/** Runs in the page. A message posted from within a frame is handled when that frame has been painted. */
function noteFrames(length_ms: number): Promise<Frame[]> {
  return new Promise((resolve) => {
    const frames: Frame[] = [];
    const channel = new MessageChannel();
    let [begin, before] = [0, 0];
    const start = performance.now();
    channel.port1.onmessage = () => {
      if (before > 0) frames.push({ apart: begin - before, work: performance.now() - begin });
      if (begin - start > length_ms) resolve(frames);
      else requestAnimationFrame(onFrame);
    };
    const onFrame = (time: number) => {
      before = begin;
      begin = time;
      channel.port2.postMessage(null);
    };
    requestAnimationFrame(onFrame);
  });
}

function report(frames: readonly Frame[]): string {
  const apart = frames.map((frame) => frame.apart);
  const work = frames.map((frame) => frame.work);
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const share = (values: readonly number[], limit: number) =>
    `${((100 * values.filter((value) => value > limit).length) / values.length).toFixed(1)} %`;
  return (
    `${frames.length}; ${ms(quantile(apart, 0.5))}, ${ms(quantile(apart, 0.95))}, ${share(apart, DROPPED_MS)}; ` +
    `${ms(quantile(work, 0.5))}, ${ms(quantile(work, 0.95))}, ${share(work, FRAME_MS)}`
  );
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? NaN;
}
