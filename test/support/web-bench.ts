import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { servePage } from './static-server.ts';

/** Opening a file of 1 GB takes minutes on a busy machine. */
const LIMIT_MS = 1_500_000;

/**
 * Prints for a trace in the page alone, in Chromium: when the first picture was there after the file was given, likewise once it is
 * kept converted, and the most memory that the page and its workers had.
 */
export async function bench(trace: string): Promise<void> {
  const server = await servePage();
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(LIMIT_MS);
    await page.goto(server.url);
    for (const kind of ['first', 'kept']) {
      await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
      await page.evaluate(() => navigator.serviceWorker.ready);
      const began = performance.now();
      await page.setInputFiles('input[type=file]', trace);
      await page.locator('.view-area[aria-busy=false] .view-page .panel').first().waitFor();
      const took_ms = performance.now() - began;
      console.log(`${kind}: a picture after ${took_ms.toFixed(0)} ms, ${await peak(browser)}`);
      await page.getByRole('button', { name: 'Outrank', exact: true }).click();
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

/** The most resident memory that a renderer had, its workers within. */
async function peak(browser: Browser): Promise<string> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const peaks_kib = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]));
  return `${(Math.max(...peaks_kib) / 1024).toFixed(0)} MiB at most`;
}
