import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheDir } from '../host/locate.ts';
import { WHOLE } from '../host/part.ts';
import { refuseFile, statFile } from '../host/stat-file.ts';
import { startServer } from '../server/start-server.ts';
import { UsageError } from './command.ts';
import type { Command } from './command.ts';
import { OPEN_DETAILS, OPEN_USAGE, PART_OPTIONS, readPart } from './part.ts';
import { serveStore } from './serve-store.ts';
import { places, startHost } from './session.ts';
import { STORE_DETAILS } from './store-options.ts';
import { interrupted, print } from './terminal.ts';

/** What opens an address in the user's browser. */
const BROWSER_COMMANDS: Partial<Record<NodeJS.Platform, readonly [string, readonly string[]]>> = {
  darwin: ['open', []],
  win32: ['rundll32', ['url.dll,FileProtocolHandler']],
};

/** `outrank serve`: the UI in a browser. */
export const serve: Command = {
  name: 'serve',
  usage: `[TRACE…] [--port N] [--host ADDRESS] [--no-open] ${OPEN_USAGE} | --store WHERE [OPTION…]`,
  summary: 'show Outrank in the browser; only these traces and files dropped on the page can be opened',
  details: [
    '--port N             the port to listen on; any free one by default',
    '--host ADDRESS       the address to listen on; 127.0.0.1 by default, which only this machine reaches',
    '--no-open            do not start the browser',
    ...OPEN_DETAILS,
    '',
    ...STORE_DETAILS,
  ],
  async run(args) {
    if (args.some((arg) => /^--store(=|$)/.test(arg))) return serveStore(args);
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        port: { type: 'string', default: '0' },
        host: { type: 'string', default: '127.0.0.1' },
        'no-open': { type: 'boolean', default: false },
        ...PART_OPTIONS,
      },
    });
    const port = Number(values.port);
    if (!/^\d+$/.test(values.port) || port > 65535) {
      throw new UsageError(`--port takes a number from 0 to 65535, not "${values.port}"`);
    }
    return serveTraces(positionals, {
      port,
      hostName: values.host,
      browser: !values['no-open'],
      part: readPart(values),
      others: await Promise.all(values.with.map(existing)),
    });
  },
};

/** Serves until it is interrupted. The address goes to stdout. */
export async function serveTraces(
  paths: readonly string[],
  {
    port = 0,
    hostName = '127.0.0.1',
    browser = true,
    part = WHOLE,
    others = [] as readonly string[],
    fragment = '',
  } = {},
): Promise<number> {
  const traces = await Promise.all(paths.map(existing));
  const host = startHost(undefined, { measuresBehind: true });
  const server = await startServer({
    host,
    ui: places.ui,
    traces,
    with: others,
    part,
    uploadsDir: cacheDir(),
    hostName,
    port,
  });
  const url = fragment === '' ? server.url : `${server.url}#${fragment}`;
  await print([`Outrank is at ${url}\n`]);
  if (browser) openBrowser(url);
  await interrupted();
  await server.close();
  await host.end();
  return 0;
}

/** The absolute path of a file that is there and may be read. */
export async function existing(path: string): Promise<string> {
  const absolute = resolve(path);
  await statFile(absolute);
  await access(absolute, constants.R_OK).catch((error: unknown) => refuseFile(absolute, error));
  return absolute;
}

/** Where there is no browser, the printed address remains. */
export function openBrowser(url: string): void {
  const [command, args] = BROWSER_COMMANDS[process.platform] ?? (['xdg-open', []] as const);
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
