import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { ElectronApplication } from 'playwright-core';
import { startAgain, startDesktop, type Desktop } from './support/desktop.ts';
import { openByPalette } from './support/keyboard.ts';
import { run } from './support/outrank.ts';
import { dropFile, untilShown } from './support/page.ts';
import { demo, Scratch, synth } from './support/places.ts';
import { ask } from './support/query-story.ts';
import { tellLockScreenStory } from './support/story.ts';

const scratch = new Scratch();
const small = scratch.path('minimal.etl');
beforeAll(async () => {
  expect((await run(synth, ['minimal', '-o', small])).code).toBe(0);
});
afterAll(() => scratch.remove());

let desktop: Desktop;
afterEach(() => desktop.app.close());

async function start(...traces: readonly string[]): Promise<Desktop> {
  desktop = await startDesktop(scratch, ...traces);
  return desktop;
}

/** Has the system's file dialog answer at once. */
function answerDialog(app: ElectronApplication, path: string): Promise<void> {
  return app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, path);
}

function enginePids(app: ElectronApplication): Promise<number[]> {
  return app.evaluate(({ app }) =>
    app
      .getAppMetrics()
      .filter(({ name }) => name === 'Outrank engine')
      .map(({ pid }) => pid),
  );
}

test('a trace named at the start opens on the longest wait', async () => {
  const { page } = await start(demo.trace);
  await tellLockScreenStory(page, scratch.path('cache'), 'desktop');
});

test('a large trace opens, which is converted while its hash is read', async () => {
  const large = scratch.path('large.etl');
  expect((await run(synth, ['switches', '--count', '700000', '-o', large])).code).toBe(0);
  const { page } = await start(large);
  await untilShown(page);
});

test('a trace is opened by the dialog, and a reload comes back to it', async () => {
  const { app, page } = await start();
  await answerDialog(app, small);
  await page.getByRole('button', { name: 'Open a trace…' }).click();
  await untilShown(page);
  await page.reload();
  await untilShown(page);
});

test('a trace is opened by the menu', async () => {
  const { app, page } = await start();
  await answerDialog(app, small);
  await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
  await app.evaluate(({ Menu }) => {
    const file = Menu.getApplicationMenu()?.items.find(({ label }) => label === '&File');
    file?.submenu?.items.find(({ label }) => label === 'Open…')?.click();
  });
  await untilShown(page);
});

test('a trace is opened by dropping it', async () => {
  const { page } = await start();
  await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
  await dropFile(page, small);
  await untilShown(page);
});

test('a second start hands its trace to the window that is there', async () => {
  const { page } = await start();
  await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
  const second = await startAgain(scratch, small);
  expect(second.code).toBe(0);
  await untilShown(page);
});

test('what is no trace gives one message, and a way back', async () => {
  const text = scratch.path('notes.etl');
  writeFileSync(text, 'This is not a trace.\n'.repeat(1000));
  const { page } = await start(text);
  const alert = page.getByRole('alert');
  await alert.waitFor();
  expect(await alert.locator('.message').innerText()).toContain('notes.etl');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
});

/** The engines of a trace: that of its outline, and that of all of it, which SQL on a table of Perfetto asks. */
async function bothEngines({ app, page }: Desktop): Promise<readonly number[]> {
  await page.getByRole('button', { name: 'Query', exact: true }).click();
  await ask(page, 'SELECT count(*) FROM sched');
  await expect.poll(() => enginePids(app)).toHaveLength(2);
  await page.getByText('1 row in').waitFor();
  await openByPalette(page, 'Ready latency', 'Ready latency');
  await untilShown(page);
  return enginePids(app);
}

test('engines that are killed leave the window, and come back when they are asked', async () => {
  const { app, page } = await start(small);
  await untilShown(page);
  const engines = await bothEngines(desktop);
  for (const engine of engines) process.kill(engine, 'SIGKILL');
  await page.getByRole('grid', { name: 'Longest ready waits' }).getByRole('row').nth(1).click();
  await page.locator('.meanwhile .answer').waitFor();
  await openByPalette(page, 'CPU usage', 'CPU usage');
  await untilShown(page);
  expect(await page.getByRole('alert').count()).toBe(0);
  const again = await enginePids(app);
  expect(again).not.toEqual([]);
  expect(again.filter((engine) => engines.includes(engine))).toEqual([]);
});

test('a trace that was left for the start page is closed when another is opened', async () => {
  const { app, page } = await start(small);
  await untilShown(page);
  const engines = await bothEngines(desktop);
  await page.getByTitle('Back to the start').click();
  await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
  await dropFile(page, demo.trace);
  await untilShown(page);
  await expect
    .poll(async () => (await enginePids(app)).filter((engine) => engines.includes(engine)))
    .toEqual([]);
});

test('a page that crashes is loaded again where it was', async () => {
  const { app, page } = await start(small);
  await untilShown(page);
  const asked = await app.evaluate(async ({ BrowserWindow, dialog }) => {
    const question = new Promise<string>((resolve) => {
      dialog.showMessageBox = (_window: unknown, options?: { readonly message: string }) => {
        resolve(options?.message ?? '');
        return Promise.resolve({ response: 0, checkboxChecked: false });
      };
    });
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
    return question;
  });
  expect(asked).toBe('The page of Outrank has ended unexpectedly.');
  await vi.waitFor(
    async () => {
      const title = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle());
      expect(title).toBe('minimal.etl – Outrank');
    },
    { timeout: 60_000 },
  );
});

test('the page reaches nothing but the app', async () => {
  const { app, page } = await start();
  await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
  const seen = await page.evaluate(async () => {
    location.href = 'https://example.com/';
    const outside = await fetch('https://example.com/').then(
      () => 'fetched',
      () => 'refused',
    );
    const notification = await Notification.requestPermission();
    return {
      node: [typeof Reflect.get(window, 'require'), typeof Reflect.get(window, 'process')],
      bridge: Object.keys(window.outrank ?? {}),
      window: window.open('about:blank'),
      isolated: crossOriginIsolated,
      outside,
      notification,
    };
  });
  expect(seen).toEqual({
    node: ['undefined', 'undefined'],
    bridge: ['connect', 'initialPath', 'openDialog', 'saveDialog', 'pathOfFile', 'onOpenRequest'],
    window: null,
    isolated: true,
    outside: 'refused',
    notification: 'denied',
  });
  expect(page.url()).toMatch(/^outrank-app:\/\/app\/index\.html/);
  expect(app.windows()).toHaveLength(1);
});

test('the window comes back where it was', async () => {
  const place = { x: 40, y: 60, width: 1000, height: 700 };
  const { app } = await start();
  await app.evaluate(
    ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
    place,
  );
  await app.close();
  await start();
  const bounds = await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.getBounds(),
  );
  expect(bounds).toEqual(place);
});
