import { expect, vi } from 'vitest';
import type { Page } from 'playwright-core';
import { OPENED_LIMIT_MS, untilShown, waitTable } from './page.ts';

/** Goes to a place that says something in every part of a link. */
export async function goSomewhere(page: Page): Promise<void> {
  await untilShown(page);
  // A click that is tried anew scrolls to an end of what it clicks: by a first cell the table stays at its start.
  await waitTable(page).getByRole('row').nth(1).getByRole('gridcell').first().click();
  await page.locator('.meanwhile .answer').waitFor({ timeout: OPENED_LIMIT_MS });
  await page.keyboard.press('m');
  await page.keyboard.press('w');
  await page.waitForURL(/range=.*mark=/);
}

/** The pictures of the view, its upper part and its lower, when nothing moves any more and the pointer is nowhere. */
export async function pictures(page: Page): Promise<Buffer[]> {
  await page.locator('.view-area[aria-busy=false] .meanwhile .answer').waitFor({ timeout: OPENED_LIMIT_MS });
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const area = page.locator('.view-area');
  const shoot = async (): Promise<Buffer[]> => {
    await area.evaluate((element) => (element.scrollTop = 0));
    const upper = await area.screenshot();
    await area.evaluate((element) => (element.scrollTop = element.scrollHeight));
    return [upper, await area.screenshot()];
  };
  let last = await shoot();
  await vi.waitFor(
    async () => {
      const before = last;
      await page.waitForTimeout(700);
      last = await shoot();
      expect(await countDiffering(page, last, before)).toBe(0);
    },
    { timeout: 60_000 },
  );
  return last;
}

/** How many pixels differ by more than the rasteriser's rounding at soft edges, which is one step in 255. */
export function countDiffering(
  page: Page,
  some: readonly Buffer[],
  others: readonly Buffer[],
): Promise<number> {
  const asUrl = (png: Buffer) => `data:image/png;base64,${png.toString('base64')}`;
  return page.evaluate(
    async ([one, two]) => {
      const pixels = async (url: string): Promise<ImageData> => {
        const image = new Image();
        image.src = url;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
        if (canvas === null) throw new Error('no canvas can be had');
        canvas.drawImage(image, 0, 0);
        return canvas.getImageData(0, 0, image.width, image.height);
      };
      let count = 0;
      for (const [at, url] of one.entries()) {
        const [a, b] = await Promise.all([pixels(url), pixels(two[at] ?? '')]);
        if (a.width !== b.width || a.height !== b.height) return Infinity;
        for (let byte = 0; byte < a.data.length; byte++)
          if (Math.abs((a.data[byte] ?? 0) - (b.data[byte] ?? 0)) > 1) count++;
      }
      return count;
    },
    [some.map(asUrl), others.map(asUrl)] as const,
  );
}

/** Expects a page to show the same as another did, once all of it is there. */
export async function expectSame(page: Page, wanted: readonly Buffer[]): Promise<void> {
  await vi.waitFor(async () => expect(await countDiffering(page, await pictures(page), wanted)).toBe(0), {
    timeout: OPENED_LIMIT_MS,
  });
}
