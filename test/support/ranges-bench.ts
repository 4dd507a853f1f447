import { median } from 'd3';
import type { Measured } from '../../app/host/testing/measured.ts';
import { serve, startBrowser } from './browser.ts';
import { query } from './outrank.ts';
import { Scratch } from './places.ts';

/** A trace of 50 million switches on a busy machine. */
const LIMIT_MS = 600_000;

/** The parts of a trace that are shown, each some times, a little farther on each time: models of a range that was shown are kept. */
const PARTS = [0.01, 0.5, 0.8, 0.96];
const AGAIN = 5;
/** Where they begin, and how much farther on, as parts of the trace. */
const FIRST = 0.01;
const STEP = 0.002;
/** So long the whole trace is shown between them: what comes later than its picture is there. */
const RESTS_MS = 1_000;

/**
 * Measures in Chromium, of views by their ids (*Ready latency* if none is named): how long after another range was chosen its picture was
 * painted. The server is on the same machine, and no model of the range was made before. The trace stays converted in `OUTRANK_CACHE`, if
 * that is set.
 */
export async function bench(trace: string, ...views: readonly string[]): Promise<Measured[]> {
  const scratch = new Scratch();
  const cache = process.env.OUTRANK_CACHE ?? scratch.path('cache');
  const [bounds] = await query(cache, trace, 'SELECT start_ts, dur_ns FROM etw_trace');
  const [start, length] = [Number(bounds?.start_ts), Number(bounds?.dur_ns)];
  const served = await serve(cache, trace);
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(LIMIT_MS);
    const measured: Measured[] = [];
    for (const view of views.length > 0 ? views : ['ready-latency']) {
      await page.goto('about:blank');
      await page.goto(`${served.url}#view=${view}`);
      await page.locator('.view-area[aria-busy=false] .view-canvas > *').first().waitFor();
      const title = await page.locator('.view-heading h2').innerText();
      const whole = await page.evaluate(() => location.hash);
      for (const part of PARTS) {
        const times_ms: number[] = [];
        for (let time = 0; time < AGAIN; time++) {
          const from = Math.round(start + (FIRST + time * STEP) * length);
          const place = `${whole}&range=${from}-${from + Math.round(part * length)}`;
          times_ms.push(await page.evaluate(paintedAfter, place));
          await page.goBack();
          await page.waitForTimeout(RESTS_MS);
        }
        const all = times_ms.map((ms) => ms.toFixed(0)).join(', ');
        const measure = `${title}, in the page: another range, ${100 * part} % of the trace`;
        const value = `${(median(times_ms) ?? NaN).toFixed(0)} ms`;
        console.log(`${measure}: ${value} (${all})`);
        measured.push({ area: 'Views', measure, value });
      }
    }
    return measured;
  } finally {
    await browser.close();
    await served.end();
    scratch.remove();
  }
}

/** Runs in the page: goes to a place where the view has to load a model, and gives after how many ms its picture was painted. */
async function paintedAfter(fragment: string): Promise<number> {
  const area = document.querySelector('.view-area');
  if (area === null) throw new Error('no view is open');
  const isDrawn = new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => {
      if (area.getAttribute('aria-busy') === 'true') return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(resolve));
    });
    observer.observe(area, { attributeFilter: ['aria-busy'] });
  });
  const began_ms = performance.now();
  history.pushState(null, '', fragment);
  dispatchEvent(new PopStateEvent('popstate'));
  await isDrawn;
  return performance.now() - began_ms;
}
