import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { root, type Scratch } from './places.ts';

/** The running desktop app and its window's page. */
export interface Desktop {
  readonly app: ElectronApplication;
  readonly page: Page;
}

const LAUNCH_LIMIT_MS = 20_000;

/** Starts the desktop app, with settings and cache of its own, on a trace if one is given. */
export async function startDesktop(scratch: Scratch, ...traces: readonly string[]): Promise<Desktop> {
  const launch = () =>
    _electron.launch({
      args: [join(root, 'dist', 'electron'), `--user-data-dir=${scratch.path('settings')}`, ...traces],
      env: {
        ...environment(),
        OUTRANK_CACHE: scratch.path('cache'),
        XDG_CONFIG_HOME: scratch.path('config'),
      },
      timeout: LAUNCH_LIMIT_MS,
    });
  // The first start of a freshly unpacked runtime has been seen to hang before the app's code ran.
  const app = await launch().catch(launch);
  return { app, page: await app.firstWindow() };
}

function environment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}
