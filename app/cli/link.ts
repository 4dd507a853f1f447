import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import {
  describeState,
  LINK_ADDRESS,
  linkedTrace,
  makeLink,
  NO_LINK,
  readAddress,
  readLink,
  writeState,
  type LinkState,
} from '../../shared/link/index.ts';
import { readParams, type ThreadKey } from '../../shared/view/index.ts';
import type { Host, OpenTrace } from '../host/api.ts';
import { hostQuery } from '../host/host-query.ts';
import { choice, only, UsageError } from './command.ts';
import type { Command } from './command.ts';
import { FETCH_DETAILS, fetched, fetchLink } from './fetch.ts';
import { versionedJson } from './json.ts';
import { WITH_DETAILS } from './part.ts';
import { splitParam, viewOf } from './view.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import { register } from './register.ts';
import { summaryOf, withTrace } from './session.ts';
import { print, printData, say } from './terminal.ts';
import { parseTime, readRange } from './time.ts';

/** `outrank link`: links to a place in a trace. */
export const link: Command = {
  name: 'link',
  usage:
    'make TRACE [OPTIONS] | read LINK [--format text|json] | fetch LINK [OPTIONS] | fetched [--clear] | register',
  summary:
    'make a link to a place in a trace, say what one holds, fetch its trace, or have the system open links with Outrank',
  details: [
    'make TRACE             print a link; the trace itself is not in it, whoever opens it needs the same file',
    '  --title TEXT         what it is called',
    '  --view ID            the view; --param NAME=VALUE its parameters',
    '  --from, --to TIME    the range in view: 30.3s, 500ms, 20us from the start, or ns on the trace clock',
    '  --thread TID@TIME    the thread that is chosen, by a time at which it was alive; --pid PID: the process',
    '  --panel FILE         a panel to go with it',
    '  --server URL         the team server that has the trace, such as https://traces.example.com',
    ...WITH_DETAILS.map((line) => `  ${line}`),
    'read LINK              print what a link says; - reads it from stdin; nothing is opened',
    'fetch LINK             fetch the trace of a link from the team server that the link names, and print its path',
    ...FETCH_DETAILS.slice(1).map((line) => `  ${line}`),
    'fetched                print where fetched traces are kept, how many, and how large; --clear: remove them',
    'register               let this system open outrank:// links and .outrank files with this Outrank, for this user',
  ],
  async run([action, ...args]) {
    if (action === 'make') return make(args);
    if (action === 'read') return read(args);
    if (action === 'fetch') return fetchLink(args);
    if (action === 'fetched') return fetched(args);
    if (action === 'register') return register(args);
    throw new UsageError('link takes make, read, fetch, fetched or register: outrank help link');
  },
};

async function make(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      title: { type: 'string', default: '' },
      view: { type: 'string' },
      param: { type: 'string', multiple: true, default: [] },
      from: { type: 'string' },
      to: { type: 'string' },
      thread: { type: 'string' },
      pid: { type: 'string' },
      panel: { type: 'string', multiple: true, default: [] },
      server: { type: 'string' },
      with: { type: 'string', multiple: true, default: [] },
    },
  });
  const path = only(positionals, 'TRACE');
  const view = values.view === undefined ? null : viewOf(values.view);
  const params = Object.fromEntries(values.param.map(splitParam));
  readParams(view?.params ?? {}, params);
  const panels = await Promise.all(values.panel.map(readPanel));
  const pid = values.pid === undefined ? null : readId('pid', values.pid);
  const server = values.server === undefined ? undefined : readServer(values.server);
  const show = async (host: Host, opened: OpenTrace): Promise<void> => {
    const { range: whole } = summaryOf(opened, path, 'no link can name a place in it');
    const given = values.from !== undefined || values.to !== undefined;
    const selection = { span: null, thread: readThread(values.thread, whole.start), pid };
    await refuseUnknown(hostQuery(host, opened), selection);
    const state: LinkState = {
      title: values.title,
      trace: linkedTrace(opened, server),
      place: {
        ...NO_LINK.place,
        view: view?.id ?? null,
        params,
        range: given ? readRange(whole, values.from, values.to) : null,
        selection,
      },
      panels,
    };
    const address = server === undefined ? LINK_ADDRESS : `${server}/t/${opened.id}`;
    const made = await makeLink(state, address);
    const { notes } = await readLink(made);
    if (notes.length > 0) throw new UsageError(`such a link cannot be read again: ${notes.join('; ')}`);
    await print([`${made}\n`]);
  };
  return withTrace(path, show, { with: values.with, columns: true });
}

async function read(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, format: { type: 'string', default: 'text' } },
  });
  const format = choice('format', values.format, ['text', 'json']);
  const given = only(positionals, 'LINK');
  const { state, notes } = await readLink(given === '-' ? await text(process.stdin) : given);
  for (const note of notes) say(note);
  const lines = describeState(state).map(([name, value]) => `${name.padEnd(12)} ${value}\n`);
  await (values.json || format === 'json' ? printData([versionedJson(writeState(state))]) : print(lines));
  return 0;
}

/** A panel's text, by the name of its file. */
async function readPanel(path: string): Promise<LinkState['panels'][number]> {
  return { name: basename(path).replace(/(\.panel)?\.sql$/i, ''), sql: await readFile(path, 'utf8') };
}

function readThread(given: string | undefined, start_ns: number): ThreadKey | null {
  if (given === undefined) return null;
  const [tid = '', ts] = given.split('@');
  if (ts === undefined) throw new UsageError(`--thread takes TID@TIME, not "${given}"`);
  return { tid: readId('thread', tid), ts: parseTime('thread', ts, start_ns) };
}

function readId(option: string, given: string): number {
  if (!/^\d{1,10}$/.test(given)) throw new UsageError(`--${option} takes a number, not "${given}"`);
  return Number(given);
}

function readServer(given: string): string {
  const address = readAddress(given);
  if (address !== null) return address.origin;
  throw new UsageError(`--server takes an address such as https://traces.example.com, not "${given}"`);
}
