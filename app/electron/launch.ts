import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { STARTED } from './channels.ts';

/** Whether the desktop app runs; if not, why, in one line for the user. */
export type Launch = { readonly started: true } | { readonly started: false; readonly reason: string };

/** The longest that a start may take before it counts as failed, in ms. */
const START_LIMIT_MS = 20_000;

/**
 * Starts the desktop app on traces, by absolute paths, and leaves it running. If it runs already, that one opens them.
 * @param root the folder that holds `dist/` and, but in a package, `vendor/electron`
 */
export function launchElectron(root: string, traces: readonly string[]): Promise<Launch> {
  const packaged = findPackaged(root);
  const electron = packaged ?? findElectron(root);
  if (electron === null) return Promise.resolve(failed('there is no Electron in vendor/electron'));
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    return Promise.resolve(failed('there is no display'));
  }
  // Chromium refuses to run its sandbox as root, as in containers; the page is still isolated from Node.
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const app = packaged === null ? [join(root, 'dist', 'electron')] : [];
  // Electron itself may be the Node that runs this.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: undefined };
  const child = spawn(electron, [...app, ...flags, ...traces], {
    detached: true,
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  return watchStart(child);
}

/** The window's program of a package, whose `resources/app` is `root`. */
function findPackaged(root: string): string | null {
  const program =
    process.platform === 'darwin'
      ? join('MacOS', 'Outrank')
      : process.platform === 'win32'
        ? 'Outrank.exe'
        : 'outrank-window';
  const path = join(root, '..', '..', program);
  return existsSync(path) ? path : null;
}

function findElectron(root: string): string | null {
  const executable =
    process.platform === 'darwin'
      ? 'Electron.app/Contents/MacOS/Electron'
      : process.platform === 'win32'
        ? 'electron.exe'
        : 'electron';
  return (
    [join(root, 'vendor', 'electron'), join(root, 'node_modules', 'electron', 'dist')]
      .map((folder) => join(folder, executable))
      .find((path) => existsSync(path)) ?? null
  );
}

function watchStart(child: ChildProcess): Promise<Launch> {
  return new Promise((resolve) => {
    let output = '';
    const settle = (launch: Launch) => {
      clearTimeout(limit);
      child.removeAllListeners();
      child.stderr?.destroy();
      if (child.connected) child.disconnect();
      child.unref();
      resolve(launch);
    };
    const limit = setTimeout(() => {
      child.kill();
      settle(failed(`it did not start within ${START_LIMIT_MS / 1000} s`));
    }, START_LIMIT_MS);
    child.stderr?.on('data', (bytes: Buffer) => (output = (output + bytes.toString()).slice(-10_000)));
    child.on('message', (message) => {
      if (message === STARTED) settle({ started: true });
    });
    child.on('error', (error) => settle(failed(error.message)));
    // An app that was running already takes the traces over: then this process ends at once, with success.
    child.on('close', (code) => settle(code === 0 ? { started: true } : failed(lastError(output, code))));
  });
}

/** Chromium's own words, without the process and source line before them. */
function lastError(output: string, code: number | null): string {
  const errors = output
    .split('\n')
    .map((line) => line.replace(/^\[[^\]]*\]\s*/, '').trim())
    .filter((line) => line !== '');
  return errors[0] ?? `it ended with exit code ${code ?? 'none'}`;
}

function failed(reason: string): Launch {
  return { started: false, reason };
}
