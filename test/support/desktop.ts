import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { run, type Finished } from './outrank.ts';
import { electronFolder, root, type Scratch } from './places.ts';

/** The running desktop app and its window's page. */
export interface Desktop {
  readonly app: ElectronApplication;
  readonly page: Page;
}

const LAUNCH_LIMIT_MS = 40_000;

const appFolder = join(root, 'dist', 'electron');

/** Starts the desktop app, with settings and cache of its own, on a trace if one is given. */
export function startDesktop(scratch: Scratch, ...traces: readonly string[]): Promise<Desktop> {
  return startApp(scratch, appFolder, traces);
}

/** Starts the desktop app on a trace as if the engine's memory held no more than this. */
export function startDesktopWithin(engineBytes: number, scratch: Scratch, trace: string): Promise<Desktop> {
  return startApp(scratch, appFolder, [trace], { OUTRANK_ENGINE_BYTES: String(engineBytes) });
}

/** Starts the desktop app as macOS does on a file that was double clicked: by an event before it is ready. */
export function startByOpenFile(scratch: Scratch, path: string): Promise<Desktop> {
  const folder = scratch.path('opened');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'index.js'),
    `const { app } = require('electron');
     require(${JSON.stringify(join(appFolder, 'main.cjs'))});
     const event = { preventDefault() {} };
     app.once('will-finish-launching', () => app.emit('open-file', event, ${JSON.stringify(path)}));`,
  );
  return startApp(scratch, folder, []);
}

async function startApp(
  scratch: Scratch,
  folder: string,
  traces: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Desktop> {
  const launch = () =>
    _electron.launch({
      args: [folder, `--user-data-dir=${scratch.path('settings')}`, ...traces],
      env: {
        ...environment(),
        ...env,
        OUTRANK_CACHE: scratch.path('cache'),
        XDG_CONFIG_HOME: scratch.path('config'),
      },
      timeout: LAUNCH_LIMIT_MS,
    });
  // The first start of a freshly unpacked runtime has been seen to hang before the app's code ran.
  const app = await launch().catch(launch);
  return { app, page: await app.firstWindow() };
}

/** Starts the app once more while it runs, as the system does for a link that was clicked or a file that was double clicked. */
export function startAgain(scratch: Scratch, what: string): Promise<Finished> {
  // As root Chromium refuses to run with its sandbox.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const settings = `--user-data-dir=${scratch.path('settings')}`;
  return run(join(electronFolder, 'electron'), [appFolder, settings, ...sandbox, what]);
}

/** Tells the app of a file as macOS does. */
export function emitOpenFile(app: ElectronApplication, path: string): Promise<void> {
  return app.evaluate(({ app }, opened) => {
    app.emit('open-file', { preventDefault: () => undefined }, opened);
  }, path);
}

function environment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}

/** Copies a link to the place that the window shows, by its key. */
export async function copyLink({ app, page }: Desktop): Promise<string> {
  await page.keyboard.press('c');
  await page.getByText(/^Link copied: \d+ characters/).waitFor();
  const link = await app.evaluate(({ clipboard }) => clipboard.readText());
  await page.getByRole('button', { name: 'Dismiss' }).click();
  return link;
}

/** Has the system's dialog for a new file answer at once. */
export function answerSaveDialog(app: ElectronApplication, path: string): Promise<void> {
  return app.evaluate(({ dialog }, chosen) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: chosen });
  }, path);
}

/**
 * Notes every host that the app connects to from now on: from its process (sockets of Node) and from its pages (requests
 * of Chromium other than for the app's own files). Resolves with a function that tells them.
 */
export async function watchNetwork(app: ElectronApplication): Promise<() => Promise<readonly string[]>> {
  await app.evaluate(({ session }) => {
    const hosts: string[] = [];
    Reflect.set(globalThis, 'connectedHosts', hosts);
    session.defaultSession.webRequest.onBeforeRequest(({ url }, answer) => {
      if (!/^(outrank-app|data|blob|devtools):/.test(url)) hosts.push(new URL(url).host);
      answer({});
    });
    // Where Playwright runs this there is no `require` but that of the app's own file.
    const { mainModule: main } = process as unknown as { readonly mainModule: NodeJS.Module };
    const { Socket } = main.require('node:net') as typeof import('node:net');
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this` below
    const connect = Socket.prototype.connect as (...given: unknown[]) => unknown;
    Socket.prototype.connect = function (this: unknown, ...given: unknown[]) {
      const [first] = given.flat() as [{ host?: string; port?: number; path?: string | null } | undefined];
      // A path is that of a pipe, which leads nowhere else.
      if (typeof first?.path !== 'string') hosts.push(`${first?.host ?? 'unknown'}:${first?.port ?? 0}`);
      return connect.apply(this, given);
    } as typeof Socket.prototype.connect;
  });
  return () => app.evaluate(() => Reflect.get(globalThis, 'connectedHosts') as readonly string[]);
}
