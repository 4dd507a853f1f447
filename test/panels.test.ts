import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serve, startBrowser } from './support/browser.ts';
import { startDesktop } from './support/desktop.ts';
import { run } from './support/outrank.ts';
import { OPENED_LIMIT_MS } from './support/page.ts';
import { tellPanelStory, writeHostilePanels } from './support/panel-story.ts';
import { Scratch, synth } from './support/places.ts';

// The story counts the panels of a user who has none yet: each try has folders of its own.
let scratch: Scratch;
let trace: string;
beforeEach(async () => {
  scratch = new Scratch();
  const folder = scratch.path('traces');
  trace = join(folder, 'minimal.etl');
  mkdirSync(folder);
  expect((await run(synth, ['minimal', '-o', trace])).code).toBe(0);
  writeHostilePanels(trace);
});
afterEach(() => scratch.remove());

test('in Chromium: write, error, fix, draw, save, reopen, pin, arrange, find, follow files; a stranger’s panel', async () => {
  const browser = await startBrowser();
  const served = await serve(scratch.path('cache'), trace);
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(served.url);
    const saved = join(scratch.path('cache-config'), 'outrank', 'panels');
    await tellPanelStory(page, 'browser', saved);
    expect(readFileSync(join(saved, 'runs-by-process.panel.sql'), 'utf8')).toContain('@draw bars');

    // Edited by another program: what it says now is not what was confirmed.
    await page.getByRole('button', { name: 'Panels', exact: true }).click();
    const text = '-- @title Written elsewhere\n-- @description A\nSELECT 1 AS one;\n';
    writeFileSync(join(saved, 'runs-by-process.panel.sql'), text);
    await page.getByRole('button', { name: 'Written elsewhere' }).click({ timeout: OPENED_LIMIT_MS });
    await page.getByText('It lies in your folder of panels.').waitFor();
  } finally {
    await browser.close();
    await served.end();
  }
});

test('in Electron: the same story', async () => {
  const { app, page } = await startDesktop(scratch, trace);
  try {
    await tellPanelStory(page, 'desktop', join(scratch.path('config'), 'outrank', 'panels'));
  } finally {
    await app.close();
  }
});
