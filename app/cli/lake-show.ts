import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { LakeDesk } from '../../shared/lake/index.ts';
import { launchElectron } from '../electron/launch.ts';
import { LocalDesk } from '../fleet/index.ts';
import type { Host, RecentTrace } from '../host/api.ts';
import { cacheDir } from '../host/locate.ts';
import { startServer } from '../server/start-server.ts';
import { BOUND_OPTIONS, readBounds } from './bounded-query.ts';
import { only } from './command.ts';
import { openBrowser } from './serve.ts';
import { places, root, startHost } from './session.ts';
import { readNumber, readSize } from './store-options.ts';
import { interrupted, print, say } from './terminal.ts';
import { TracePlaces } from '../host/trace-places.ts';

/** `outrank lake show`: the page that asks a lake, until it is interrupted. */
export async function showLake(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '0' },
      'no-open': { type: 'boolean', default: false },
      window: { type: 'boolean', default: false },
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
  const noted = new NotedTraces(desk, host);
  const server = await startServer({
    host: noted.host,
    ui: places.ui,
    traces: [],
    allowed: noted.allowed,
    lake: noted.desk,
    uploadsDir: cacheDir(),
    hostName: '127.0.0.1',
    port: readNumber('port', values.port, 65_535),
  });
  await print([`The lake is at ${server.url}\n`]);
  if (values.window) await openWindow(server.url);
  else if (!values['no-open']) openBrowser(server.url);
  await interrupted();
  await server.close();
  await host.end();
  await desk.end();
  return 0;
}

/** Shows the lake in the desktop window, or in the browser where none can be had. */
async function openWindow(url: string): Promise<void> {
  const launch = await launchElectron(root, [url]);
  if (launch.started) return;
  say(`no window can be shown (${launch.reason}): opening the browser instead`);
  openBrowser(url);
}

/** The traces that a row leads to: those that were opened on this machine, and those of answers that were added on it. */
class NotedTraces {
  /** The paths of all of them. */
  readonly allowed = new Set<string>();
  /** The host, which knows these traces, too. */
  readonly host: Host;
  readonly desk: LakeDesk;
  readonly #places = new TracePlaces();
  readonly #found = new Map<string, RecentTrace>();

  constructor(desk: LakeDesk, host: Host) {
    this.host = { ...host, recent: () => this.#recent(host) };
    this.desk = {
      about: () => desk.about(),
      ask: async (asked) => {
        const answer = await desk.ask(asked);
        for (const { trace } of answer.examples.flat()) await this.#look(trace);
        return answer;
      },
    };
  }

  async #look(id: string): Promise<void> {
    const trace = this.#found.get(id) ?? (await this.#places.find(id));
    if (trace === null) return;
    this.#found.set(id, trace);
    this.allowed.add(trace.path);
  }

  async #recent(host: Host): Promise<readonly RecentTrace[]> {
    const opened = await host.recent();
    for (const { path, with: others = [] } of opened)
      for (const each of [path, ...others]) this.allowed.add(each);
    const ids = new Set(opened.map(({ id }) => id));
    return [...opened, ...[...this.#found.values()].filter(({ id }) => !ids.has(id))];
  }
}
