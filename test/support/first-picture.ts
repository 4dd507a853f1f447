import { serve, startBrowser } from './browser.ts';
import { Scratch } from './places.ts';

/** A trace of 50 million switches on a busy machine. */
const LIMIT_MS = 600_000;

/**
 * Prints how long after its address was typed a view is drawn in Chromium, of a trace that was never opened and of one that was
 * converted before. Views are named by their ids; without any these are the overview and ready latency.
 */
export async function bench(trace: string, ...named: readonly string[]): Promise<void> {
  const views = named.length > 0 ? named : ['overview', 'ready-latency'];
  const browser = await startBrowser();
  const scratch = new Scratch();
  try {
    for (const view of views) {
      for (const [times, how] of ['nothing cached', 'converted before', 'converted before'].entries()) {
        const served = await serve(scratch.path(`cache-${view}`), trace);
        const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
        page.setDefaultTimeout(LIMIT_MS);
        const began = performance.now();
        await page.goto(`${served.url}#view=${view}`);
        // A picture is in sight, and it is not waited for: it may be of an estimate.
        await page.locator('.view-canvas > *').first().waitFor();
        const first_ms = performance.now() - began;
        await page.locator('.view-area:not([aria-busy=true]) .view-canvas > *').first().waitFor();
        const rest_ms = performance.now() - began;
        const what = times === 0 ? 'first' : 'again';
        console.log(
          `${view}, ${how} (${what}): picture after ${first_ms.toFixed(0)} ms, at rest after ${rest_ms.toFixed(0)} ms`,
        );
        await page.close();
        await served.end();
      }
    }
  } finally {
    await browser.close();
    scratch.remove();
  }
}
