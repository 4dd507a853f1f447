import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { run } from './outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './page.ts';
import { synth, type Scratch } from './places.ts';
import { tellView } from './tell-view.ts';
import { viewStories, type TraceStories } from './view-stories.ts';

/** The stories of the views by the scenario that each is of, for `test.each`. */
export const storiesByScenario = viewStories.map((stories) => ({ name: stories.scenario[0], stories }));

/** Writes the trace of a scenario into `scratch`; resolves with its path. */
export async function writeScenario(scratch: Scratch, { scenario }: TraceStories): Promise<string> {
  const [name, ...options] = scenario;
  const trace = scratch.path(`${name}.etl`);
  expect((await run(synth, [name, ...options, '-o', trace])).code).toBe(0);
  return trace;
}

/** Tells the stories of a trace's views in a page that was asked to open it. Pictures are named after the door. */
export async function tellViews(page: Page, { views }: TraceStories, door: string): Promise<void> {
  const errors = watchErrors(page);
  await page.locator('.view-area[aria-busy=false] .view-page').waitFor({ timeout: OPENED_LIMIT_MS });
  for (const story of views) await tellView(page, story, door);
  expect(errors).toEqual([]);
}
