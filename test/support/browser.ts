import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { chromium, type Browser, type BrowserContext, type LaunchOptions, type Page } from 'playwright-core';
import { findBrowser } from '../../scripts/find-browser.mjs';
import { OUTRANK, root, v8Flags } from './places.ts';

/** A running `outrank serve`. */
export interface Served {
  readonly url: string;
  /** What it had told the user, besides the address, when the address was printed. */
  readonly messages: string;
  end(): Promise<void>;
}

/** Serves traces to a browser. The server's own settings lie next to the cache. */
export function serve(cache: string, ...traces: readonly string[]): Promise<Served> {
  return served(['serve', '--no-open', ...traces], {
    OUTRANK_CACHE: cache,
    XDG_CONFIG_HOME: `${cache}-config`,
  });
}

/** A running `outrank lake show`. */
export function showLake(cache: string, lake: string): Promise<Served> {
  return served(['lake', 'show', lake, '--no-open'], { OUTRANK_CACHE: cache });
}

/** Serves a trace as if the engine's memory held no more than this. */
export function serveWithin(engineBytes: number, cache: string, trace: string): Promise<Served> {
  const env = { OUTRANK_CACHE: cache, OUTRANK_ENGINE_BYTES: String(engineBytes) };
  return served(['serve', '--no-open', trace], env);
}

/** Opens a trace where there is neither a display for a window nor a browser to start. */
export function openOrServe(cache: string, trace: string): Promise<Served> {
  return served(['open', trace], { OUTRANK_CACHE: cache, DISPLAY: '', WAYLAND_DISPLAY: '', PATH: '' });
}

/** Runs `outrank` until it has printed its address. */
async function served(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Served> {
  const child = spawn(process.execPath, [...OUTRANK, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let messages = '';
  child.stderr.on('data', (bytes: Buffer) => (messages += bytes.toString()));
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url === undefined) continue;
    const end = async () => {
      child.kill('SIGINT');
      await exited;
    };
    return { url, messages, end };
  }
  throw new Error(`outrank ${args.join(' ')} ended without printing an address: ${messages}`);
}

/** Starts the Chromium that the system has. Its pages are private ones: what they keep is in the browser's memory. */
export function startBrowser(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ ...launchOptions(), ...options });
}

/** Starts it with a profile in a folder, as users have one: what pages keep is on the disk. */
export function startProfile(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, launchOptions());
}

function launchOptions(): LaunchOptions {
  // As root Chromium refuses to run with its sandbox.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return { executablePath: findBrowser(), args: [...sandbox, `--js-flags=${v8Flags.join(',')}`] };
}

/** The most resident memory that a renderer had, its workers within, in MiB. */
export async function peakOf(browser: Browser | null): Promise<number> {
  if (browser === null) return NaN;
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const peaks_kib = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]));
  return Math.max(...peaks_kib) / 1024;
}

/** Copies a link to the place that a page shows, which may use the clipboard. */
export async function copyLinkInBrowser(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText(/^Link copied/).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Dismiss' }).click();
  return link;
}
