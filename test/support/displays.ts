/** Starts a display for each worker of the tests, so that no window jumps up: windows share the clipboard and the focus of theirs. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The displays by worker; none where the machine's own is used. */
    displays: readonly string[];
  }
}

/** What Vitest calls before the tests, and what it calls after them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { maxWorkers } = project.config;
  // Elsewhere Electron wants no X server.
  const servers = process.platform === 'linux' ? Array.from({ length: maxWorkers }, () => startServer()) : [];
  project.provide('displays', await Promise.all(servers.map((server) => displayOf(server))));
  return async () => {
    for (const server of servers) server.kill();
    await Promise.all(servers.map(async (server) => server.exitCode ?? (await once(server, 'exit'))));
  };
}

/** An X server that takes a free display, and writes its number to its fourth stream. What it says of those that are taken is not shown. */
function startServer(): ChildProcess {
  const screen = ['-screen', '0', '1600x1000x24'];
  return spawn('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp', ...screen], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
}

async function displayOf(server: ChildProcess): Promise<string> {
  let said = '';
  server.stderr?.on('data', (text: Buffer) => (said += String(text)));
  const ended = once(server, 'exit').then(() => {
    throw new Error(`Xvfb ended before it had a display: ${said}`);
  });
  const number = once(server.stdio[3] as Readable, 'data');
  const [told] = (await Promise.race([number, ended])) as [Buffer];
  return `:${String(told).trim()}`;
}
