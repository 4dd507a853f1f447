import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LocalDesk } from '../fleet/index.ts';
import { cacheDir } from '../host/locate.ts';
import { startServer } from '../server/start-server.ts';
import { BOUND_OPTIONS, readBounds } from './bounded-query.ts';
import { only } from './command.ts';
import { openBrowser } from './serve.ts';
import { places, startHost } from './session.ts';
import { readNumber, readSize } from './store-options.ts';
import { interrupted, print } from './terminal.ts';

/** `outrank lake show`: the page that asks a lake, until it is interrupted. */
export async function showLake(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '0' },
      'no-open': { type: 'boolean', default: false },
      memory: { type: 'string', default: '1GiB' },
      ...BOUND_OPTIONS,
    },
  });
  const desk = new LocalDesk({
    address: only(positionals, 'LAKE'),
    memoryBytes: readSize('memory', values.memory),
    threads: availableParallelism(),
    copies: join(cacheDir(), 'lakes'),
    bounds: readBounds(values),
  });
  // A place that holds no lake is told before a browser opens.
  await desk.about();
  const host = startHost();
  const known = await host.recent();
  const server = await startServer({
    host,
    ui: places.ui,
    // From a row to its trace: those that were opened here before.
    traces: known.flatMap(({ path, with: others = [] }) => [path, ...others]),
    lake: desk,
    uploadsDir: cacheDir(),
    hostName: '127.0.0.1',
    port: readNumber('port', values.port, 65_535),
  });
  await print([`The lake is at ${server.url}\n`]);
  if (!values['no-open']) openBrowser(server.url);
  await interrupted();
  await server.close();
  await host.end();
  await desk.end();
  return 0;
}
