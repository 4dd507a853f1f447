// Takes the pictures in docs/ of every view anew: `node scripts/pictures.mjs [NAME…]`, after a build. Needs the Chromium that the tests drive.
// With names, such as `wake-chain`, only these are taken; the name of a scenario takes what its walk-through shows besides.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findBrowser } from './find-browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const synth = process.env.OUTRANK_SYNTH ?? join(root, 'converter', 'target', 'release', 'outrank-synth');

/** @typedef {import('playwright-core').Page} Page */

/** Views that the lock screen story does not fill: by title, the scenario of `outrank-synth` that does, with its options. */
const SCENARIOS = new Map([
  ['Focus and input', 'attention'],
  ['Frozen processes', 'attention'],
  ['CPU usage, sampled', 'hot-loop'],
  ['Runaway threads', 'hot-loop'],
  ['Processes', 'exit-storm'],
  ['Threads and growth', 'thread-growth'],
  ['Generic events', 'user-lock'],
  ['Explain a delay', 'user-lock'],
  ['User locks', 'user-lock'],
  ['Blocked time', 'wmi'],
  ['Blame', 'wmi'],
  ['Episodes', 'exit-storm'],
  ['Context switches', 'switch-storm --count 200000'],
  ['Disk and file I/O', 'slow-disk --count 2000 --cpus 4'],
]);

/** What is done in a view before its picture is taken. @type {Record<string, (page: Page) => Promise<unknown>>} */
const STEPS = {
  overview: (page) => page.getByText(/found by \d+ rules/).waitFor({ timeout: 120_000 }),
  'ready-latency': async (page) => {
    await page.click('.wait-table .row[data-at="0"]');
    await page.waitForSelector('.meanwhile .answer');
  },
  timeline: async (page) => {
    await openTimeline(page);
    await clickTrack(page, 'LockApp.exe', 'name');
    await settled(page, 'Timeline');
    await clickTrack(page, 'Lock screen UI', 0.67);
    await page.locator('.timeline-chosen').waitFor();
  },
  'cpu-usage': (page) => page.locator('.params select').first().selectOption('rank-priority'),
  'context-switches': (page) => page.getByText('counting …').waitFor({ state: 'detached' }),
  processes: (page) => page.getByText(/exits went one at a time/).waitFor({ timeout: 120_000 }),
  'disk-and-file-io': async (page) => {
    const list = page.getByRole('grid', { name: 'Longest I/O' });
    await list.locator('.row[data-at="0"]').click();
    await list.evaluate((grid) => grid.parentElement?.scrollIntoView({ block: 'end' }));
  },
  'explain-a-delay': async (page) => {
    await page.evaluate(() => {
      globalThis.location.hash += '&p.tid=2004&p.from_ns=1000000000&p.to_ns=1501000000';
    });
    await page.getByText('explorer.exe (tid 1004) ran for').waitFor();
  },
  'blocked-time': async (page) => {
    await page.evaluate(() => {
      globalThis.location.hash += '&p.by=waker&p.process=svchost';
    });
    await page.getByText('By waker, thread and wait reason').waitFor();
  },
  'what-if': (page) => page.getByText('would have been ready for about').waitFor(),
  episodes: async (page) => {
    await page.getByRole('gridcell', { name: 'process created to its exit' }).click();
    await page.getByText(/slow, 1.* on average/).waitFor();
  },
  'focus-and-input': async (page) => {
    await page.getByRole('grid').focus();
    for (const key of ['m', 'ArrowDown', 'ArrowDown', 'm']) await page.keyboard.press(key);
  },
};

/** The trace that another one is compared with. */
const ROUTINE = 'routine --seconds 20';

/** Pictures that the walk-throughs need besides those of the views, by scenario. @type {Record<string, (page: Page) => Promise<unknown>>} */
const WALKS = {
  'exit-storm': async (page) => {
    await openView(page, 'Processes');
    await page.getByText(/exits went one at a time/).waitFor({ timeout: 120_000 });
    await page
      .getByRole('heading', { name: 'Exits', exact: true })
      .evaluate((heading) => heading.scrollIntoView());
    await take(page, 'processes-exits');
    await openTimeline(page);
    await take(page, 'exit-storm-timeline');
  },
  routine: async (page) => {
    const after = join(folder, 'after.etl');
    execFileSync(synth, [
      ...ROUTINE.split(' '),
      '--change',
      'rank',
      '--seed',
      '2',
      '--first-id',
      '400',
      '-o',
      after,
    ]);
    // The details of one trace take room.
    for (const key of ['i', 'b']) await page.keyboard.press(key);
    await page.getByLabel('The trace to compare with').setInputFiles(after);
    await page.locator('.compare-proof').waitFor({ timeout: 120_000 });
    await take(page, 'compare');
    await page.emulateMedia({ colorScheme: 'dark' });
    await take(page, 'compare-dark');
    await page.getByRole('button', { name: 'Timeline of both' }).click();
    await page.locator('.compare-timeline svg[aria-description]').nth(1).waitFor();
    await page.waitForTimeout(2000);
    await page.evaluate(() => globalThis.document.querySelector('.compare-list')?.scrollIntoView());
    await take(page, 'compare-timeline-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.waitForTimeout(1000);
    await page.evaluate(() => globalThis.document.querySelector('.compare-list')?.scrollIntoView());
    await take(page, 'compare-timeline');
  },
  'user-lock': async (page) => {
    await openTimeline(page);
    await page.evaluate(() => {
      globalThis.location.hash += '&p.events=win32k&p.open=p1000+p2000+p3000';
    });
    await settled(page, 'Timeline');
    await take(page, 'user-lock-timeline');
  },
  'slow-disk': async (page) => {
    await openTimeline(page);
    await page.evaluate(() => {
      globalThis.location.hash += '&range=1000000000-1400000000';
    });
    await settled(page, 'Timeline');
    await take(page, 'slow-disk-timeline');
  },
  wmi: async (page) => {
    await openView(page, 'Overview');
    await STEPS.overview?.(page);
    await openView(page, 'Release moments');
    await page.getByRole('grid', { name: 'Release moments' }).getByRole('row').nth(1).click();
    await page.getByRole('button', { name: 'Who woke it' }).click();
    await page.getByText('was woken from a DPC').waitFor();
    await page.keyboard.press('[');
    await page.getByRole('button', { name: 'Where most time went by' }).click();
    await page.waitForFunction(() => globalThis.location.hash.includes('p.link='));
    await settled(page, 'Wake chain');
    await take(page, 'wmi-chain');
    await page.keyboard.press('Shift+T');
    await settled(page, 'Timeline');
    await causesJudged(page);
    await take(page, 'wmi-timeline');
    await page.goBack();
    await settled(page, 'Wake chain');
    await page.getByRole('button', { name: 'What it released' }).click();
    await page.locator('.answer').getByText('threads of 136 processes released').waitFor();
    await take(page, 'wmi-released');
  },
};

const only = new Set(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), 'outrank-pictures-'));
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
try {
  await takeAll('lock-screen', (title) => !SCENARIOS.has(title));
  for (const scenario of new Set([...SCENARIOS.values(), 'wmi', ROUTINE])) {
    await takeAll(scenario, (title) => SCENARIOS.get(title) === scenario);
  }
  if (only.size === 0 || only.has('lake')) await takeLake();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} scenario @param {(title: string) => boolean} shows */
async function takeAll(scenario, shows) {
  const [kind = '', ...options] = scenario.split(' ');
  const trace = join(folder, `${kind}.etl`);
  execFileSync(synth, [kind, ...options, '-o', trace]);
  const server = spawn(process.execPath, ['app/cli/outrank.mjs', 'serve', '--no-open', trace], {
    cwd: root,
    env: { ...process.env, OUTRANK_CACHE: join(folder, 'cache') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, colorScheme: 'light' });
    page.on('pageerror', (error) => console.error(error.message));
    await page.goto(await addressOf(server));
    const rail = page.getByRole('navigation', { name: 'Views' }).getByRole('button');
    await rail.first().waitFor({ timeout: 120_000 });
    for (const title of await rail.allInnerTexts()) {
      const name = title.toLowerCase().replaceAll('/', '').replaceAll(/[ ,]+/g, '-');
      if (!shows(title) || (only.size > 0 && !only.has(name))) continue;
      await openView(page, title);
      // Steps add to the address, which follows the view.
      await settled(page, title);
      await STEPS[name]?.(page);
      await settled(page, title);
      await take(page, name);
      await page.emulateMedia({ colorScheme: 'dark' });
      await take(page, `${name}-dark`);
      await page.emulateMedia({ colorScheme: 'light' });
      for (const key of ['Escape', '0', 'Shift+M']) await page.keyboard.press(key);
      // Keys have it show which button has the focus.
      await page.evaluate(() => globalThis.document.activeElement?.blur());
    }
    if (scenario === 'lock-screen' && (only.size === 0 || only.has('palette'))) {
      await page.keyboard.press('Control+Shift+P');
      await page.getByRole('combobox').fill('lock');
      await page.waitForTimeout(1000);
      await take(page, 'palette');
    }
    if (only.size === 0 || only.has(kind)) await WALKS[kind]?.(page);
    await page.close();
  } finally {
    server.kill('SIGINT');
  }
}

/** The page of a lake of traces of several stories and builds. */
async function takeLake() {
  const lake = join(folder, 'lake');
  const env = { ...process.env, OUTRANK_CACHE: join(folder, 'cache') };
  /** @param {string[]} args */
  const outrank = (...args) => [join(root, 'app/cli/outrank.mjs'), 'lake', ...args];
  const kinds = ['lock-screen', 'wmi', 'exit-storm', 'routine', 'thread-growth', 'user-lock'];
  for (const [number, kind] of kinds.entries()) {
    const trace = join(folder, `of-lake-${kind}.etl`);
    execFileSync(synth, [kind, '-o', trace]);
    const tags = ['--tag', `build=${101 + (number % 2)}`];
    execFileSync(process.execPath, outrank('add', lake, trace, ...tags), { env, stdio: 'ignore' });
  }
  const server = spawn(process.execPath, outrank('show', lake, '--no-open'), {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 760 }, colorScheme: 'light' });
    await page.goto(await addressOf(server));
    await page.getByRole('button', { name: 'Machines by finding' }).click();
    await page.getByText('rank-starvation').first().waitFor({ timeout: 120_000 });
    await take(page, 'lake');
    await page.close();
  } finally {
    server.kill('SIGINT');
  }
}

/** The timeline with the causes of waits, and with what rules found. @param {Page} page */
async function openTimeline(page) {
  await openView(page, 'Overview');
  await STEPS.overview?.(page);
  await openView(page, 'Timeline');
  await causesJudged(page);
  // The address follows after a moment; what is added to it before leads back.
  await page.waitForFunction(() => globalThis.location.hash.includes('view=timeline'));
}

/** @param {Page} page */
function causesJudged(page) {
  return page.getByText('Of this time:').waitFor({ timeout: 120_000 });
}

/**
 * Clicks on the name of a track of the timeline, or on a part of its length. Tracks are pixels: where one lies, the keys tell.
 * @param {Page} page @param {string} name @param {'name' | number} at
 */
async function clickTrack(page, name, at) {
  await page.locator('.timeline-tracks .lane-scroll, .timeline-tracks .plot').first().focus();
  const spoken = page.locator('.timeline [aria-live]');
  const says = async () => (await spoken.textContent()) ?? '';
  for (let press = 0; press < 10; press++) await page.keyboard.press('PageUp');
  let place = 0;
  while (!(await says()).startsWith(name)) {
    if (++place > 100) throw new Error(`the timeline has no track ${name}`);
    await page.keyboard.press('ArrowDown');
  }
  const box = await page.locator('.timeline-tracks .plot').boundingBox();
  if (box === null) throw new Error('the timeline has no place');
  const x = at === 'name' ? 60 : 236 + (box.width - 248) * at;
  await page.mouse.click(box.x + x, box.y + 22 + place * 20 + 8);
}

/** @param {Page} page @param {string} title */
async function openView(page, title) {
  await page.getByRole('button', { name: title, exact: true }).first().click();
  await settled(page, title);
}

/** @param {Page} page @param {string} title */
async function settled(page, title) {
  await page.locator('.view-heading h2', { hasText: title }).waitFor();
  await page.waitForTimeout(300);
  await page.locator('.view-area[aria-busy=false] .view-page').waitFor({ timeout: 120_000 });
  await page.locator('.background-tables').waitFor({ state: 'detached', timeout: 120_000 });
}

/** @param {Page} page @param {string} name */
async function take(page, name) {
  await page.mouse.move(5, 600);
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(root, 'docs', `${name}.png`) });
  console.log(`docs/${name}.png`);
}

/** @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>} server */
async function addressOf(server) {
  for await (const line of createInterface({ input: server.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error('outrank serve ended without printing an address');
}
