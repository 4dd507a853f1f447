import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { median, sum } from 'd3';
import type { BrowserContext } from 'playwright-core';
import type { Measured } from '../../app/host/testing/measured.ts';
import { peakOf, startProfile } from './browser.ts';
import { root } from './places.ts';
import { servePage } from './static-server.ts';

/** Opening a file of 1 GB takes minutes on a busy machine. */
const LIMIT_MS = 1_500_000;

const PAGE = 'the page by itself';
const PACKED = `${PAGE}, its files by gzip -9`;

/** How often a trace is opened, each time in a new profile of the browser: what is told is the median. */
const AGAIN = 3;

/**
 * Measures in the page alone, in Chromium: when the first picture of a trace was there after the file was given, and likewise once
 * it is kept converted; the most memory that the page and its workers had; when a later visit painted first; and how much the page
 * loads until it is drawn, and until a trace is.
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
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;
  const told = (measure: string, value: string, load?: string): Measured => {
    console.log(`${measure}: ${value}`);
    return { area: 'Converter in WebAssembly', measure, value, ...(load === undefined ? {} : { load }) };
  };
  return [
    told('from the drop to the first picture', `${seconds(middle('first_ms'))}, ${memory}`),
    told('to the first picture, where it is kept converted', seconds(middle('kept_ms'))),
    told('to the first paint, where the page was visited before', seconds(middle('paint_ms')), PAGE),
    told('to the first drawn page', megabytes(middle('drawn_bytes')), PACKED),
    told('with all that opening a trace needs', megabytes(middle('opened_bytes')), PACKED),
  ];
}

interface Opened {
  readonly first_ms: number;
  readonly kept_ms: number;
  readonly peak_mib: number;
  readonly paint_ms: number;
  readonly drawn_bytes: number;
  readonly opened_bytes: number;
}

async function openTwice(url: string, trace: string): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'outrank-profile-'));
  const context = await startProfile(folder);
  try {
    const page = await context.newPage();
    await page.setViewportSize({ width: 1440, height: 900 });
    page.setDefaultTimeout(LIMIT_MS);
    const packedBytes = countLoads(context, url);
    await page.goto(url);
    await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
    const drawn_bytes = packedBytes();
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
    const opened_bytes = packedBytes();
    await page.getByRole('button', { name: 'Outrank', exact: true }).click();
    const kept_ms = await picture();
    const paint_ms = await firstPaint(context, url);
    return { first_ms, kept_ms, peak_mib, paint_ms, drawn_bytes, opened_bytes };
  } finally {
    await context.close();
    await rm(folder, { recursive: true });
  }
}

/**
 * Notes which files the page and its workers load from now on, and gives how many bytes these have, packed. What the service worker
 * keeps for later visits is not among them.
 */
function countLoads(context: BrowserContext, url: string): () => number {
  const paths = new Set<string>();
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.url().startsWith(url) && request.serviceWorker() === null) paths.add(pathname);
  });
  const packed = (path: string) => {
    const file = path === '/' ? 'index.html' : decodeURIComponent(path);
    return gzipSync(readFileSync(join(root, 'dist', 'web', file)), { level: 9 }).length;
  };
  return () => sum(paths, packed);
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
