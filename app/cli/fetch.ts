import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isReadableOnTheWay, readLink, type LinkState } from '../../shared/link/index.ts';
import { formatBytes } from '../../shared/model/index.ts';
import { OpenError } from '../host/api.ts';
import { fetchedTraces } from '../host/create-host.ts';
import { cacheDir } from '../host/locate.ts';
import { only, UsageError } from './command.ts';
import { print, progressLine, say } from './terminal.ts';

/** The options that say how a team server is asked, for `parseArgs`. */
export const SERVER_OPTIONS = {
  'token-file': { type: 'string' },
  unencrypted: { type: 'boolean', default: false },
} as const;

/** What the help says of them. */
export const SERVER_DETAILS = [
  '--token-file FILE    your token for the server; by default the variable OUTRANK_TOKEN',
  '--unencrypted        agree to a server without HTTPS: everybody on the way can read the trace and the token',
];

/** The options of a link whose trace may be fetched, for `parseArgs`. */
export const FETCH_OPTIONS = { fetch: { type: 'boolean', default: false }, ...SERVER_OPTIONS } as const;

/** What the help says of them. */
export const FETCH_DETAILS = [
  '--fetch              of a LINK whose trace is not known here: fetch it from the team server that the link names',
  ...SERVER_DETAILS,
];

/** How a team server is asked. */
export interface ServerValues {
  readonly 'token-file'?: string | undefined;
  readonly unencrypted: boolean;
}

/** Whether the trace of a link is fetched, and how. */
export interface FetchValues extends ServerValues {
  readonly fetch: boolean;
}

/** `outrank link fetch`: the trace of a link, from the server that the link names. */
export async function fetchLink(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: SERVER_OPTIONS });
  const { state } = await readLink(only(positionals, 'LINK'));
  await print([`${await fetchTrace(state, values)}\n`]);
  return 0;
}

/** `outrank link fetched`: the traces that were fetched. */
export async function fetched(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { clear: { type: 'boolean', default: false } } });
  const traces = fetchedTraces(cacheDir());
  const { dir, count, sizeBytes } = await traces.usage();
  if (values.clear) await traces.clear();
  const what = `${count} ${count === 1 ? 'trace' : 'traces'}, ${formatBytes(sizeBytes)}`;
  await print([`${dir}: ${values.clear ? 'removed ' : ''}${what}\n`]);
  return 0;
}

/** Fetches the trace of a link from the server that it names; its path. */
export async function fetchTrace({ trace }: LinkState, values: ServerValues): Promise<string> {
  if (trace?.server === undefined)
    throw new OpenError('server', 'the link names no server that has its trace');
  const { id, name, sizeBytes, server, part, files } = trace;
  if (part !== undefined || files !== undefined)
    throw new OpenError(
      'server',
      `the link is of a part, or of several files: get them from ${server}/t/${id}`,
    );
  requireEncryption(server, values);
  say(`fetching ${name === '' ? id : name} from ${server}`);
  const line = progressLine();
  const token = await readToken(values['token-file']);
  return fetchedTraces(cacheDir())
    .fetch(
      { origin: server, token, unencrypted: values.unencrypted },
      { id, sizeBytes },
      { onProgress: line.show },
    )
    .finally(line.clear);
}

/** Throws a {@link UsageError} where what a server is sent could be read on the way, and the user has not agreed to that. */
export function requireEncryption(server: string, { unencrypted }: ServerValues): void {
  if (unencrypted || !isReadableOnTheWay(new URL(server))) return;
  throw new UsageError(
    `${server}: is not encrypted: everybody on the way could read the trace and the token; --unencrypted agrees to that`,
  );
}

/** The token in a file or in the environment; null if there is none. */
export async function readToken(path: string | undefined): Promise<string | null> {
  const token = path === undefined ? process.env.OUTRANK_TOKEN : await readFile(path, 'utf8');
  const given = token?.trim() ?? '';
  if (given === '') return null;
  if (/^[\x21-\x7e]+$/.test(given)) return given;
  throw new UsageError('the token holds spaces or letters that no token has');
}
