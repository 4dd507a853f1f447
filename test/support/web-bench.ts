import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from 'd3';
import type { Browser, BrowserContext } from 'playwright-core';
import type { Measured } from '../../app/host/testing/measured.ts';
import { startProfile } from './browser.ts';
import { servePage } from './static-server.ts';

/** Opening a file of 1 GB takes minutes on a busy machine. */
const LIMIT_MS = 1_500_000;

/** How often a trace is opened, each time in a new profile of the browser: what is told is the median. */
const AGAIN = 3;

/**
 * Measures in the page alone, in Chromium: when the first picture of a trace was there after the file was given, and likewise once
 * it is kept converted; the most memory that the page and its workers had; and when a later visit painted first.
 */
export async function bench(trace: string): Promise<Measured[]> {
  const server = await servePage();
  const opened: Opened[] = [];
  try {
    while (opened.length < AGAIN) opened.push(await openTwice(server.url, trace));
  } finally {
    await server.close();
  }
  const middle = (of: keyof Opened) => median(opened, (each) => each[of]) ?? NaN;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  const memory = `${middle('peak_mib').toFixed(0)} MiB at most`;
  const told = (measure: string, value: string): Measured => {
    console.log(`${measure}: ${value}`);
    return { area: 'Converter in WebAssembly', measure, value };
  };
  return [
    told('from the drop to the first picture', `${seconds(middle('first_ms'))}, ${memory}`),
    told('to the first picture, where it is kept converted', seconds(middle('kept_ms'))),
    told('to the first paint, where the page was visited before', seconds(middle('paint_ms'))),
  ];
}

interface Opened {
  readonly first_ms: number;
  readonly kept_ms: number;
  readonly peak_mib: number;
  readonly paint_ms: number;
}

async function openTwice(url: string, trace: string): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'outrank-profile-'));
  const context = await startProfile(folder);
  try {
    const page = await context.newPage();
    await page.setViewportSize({ width: 1440, height: 900 });
    page.setDefaultTimeout(LIMIT_MS);
    await page.goto(url);
    const picture = async (): Promise<number> => {
      await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
      await page.evaluate(() => navigator.serviceWorker.ready);
      const began = performance.now();
      await page.setInputFiles('input[type=file]', trace);
      await page.locator('.view-area[aria-busy=false] .view-page .panel').first().waitFor();
      return performance.now() - began;
    };
    const first_ms = await picture();
    const peak_mib = await peakOf(context.browser());
    await page.getByRole('button', { name: 'Outrank', exact: true }).click();
    return { first_ms, kept_ms: await picture(), peak_mib, paint_ms: await firstPaint(context, url) };
  } finally {
    await context.close();
    await rm(folder, { recursive: true });
  }
}

/** When a new tab shows something of the page, in ms from the start of its visit. */
async function firstPaint(context: BrowserContext, url: string): Promise<number> {
  const tab = await context.newPage();
  await tab.goto(url);
  const paint = await tab.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  );
  return (await paint.jsonValue()) ?? NaN;
}

/** The most resident memory that a renderer had, its workers within, in MiB. */
async function peakOf(browser: Browser | null): Promise<number> {
  if (browser === null) return NaN;
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const peaks_kib = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]));
  return Math.max(...peaks_kib) / 1024;
}
