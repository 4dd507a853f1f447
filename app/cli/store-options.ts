import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { engineBytes } from '../host/overview.ts';
import { cacheDir } from '../host/locate.ts';
import { readAddresses } from '../server/team/access.ts';
import type { Proxy } from '../server/team/access.ts';
import { ROLES } from '../server/team/tokens.ts';
import { choice, UsageError } from './command.ts';
import { messageOf } from '../../shared/model/index.ts';

/** The options of `outrank serve --store`, as `parseArgs` takes them. */
export const STORE_OPTIONS = {
  store: { type: 'string' },
  port: { type: 'string', default: '7333' },
  host: { type: 'string', default: '127.0.0.1' },
  'public-url': { type: 'string' },
  tokens: { type: 'string' },
  'identity-header': { type: 'string' },
  'trusted-proxy': { type: 'string' },
  'identity-role': { type: 'string', default: 'upload' },
  work: { type: 'string' },
  audit: { type: 'string' },
  'max-trace': { type: 'string', default: '32GiB' },
  quota: { type: 'string', default: '1TiB' },
  'quota-each': { type: 'string', default: '200GiB' },
  'keep-days': { type: 'string', default: '90' },
  engines: { type: 'string' },
  'engine-memory': { type: 'string', default: '4GiB' },
  'converter-memory': { type: 'string', default: '2GiB' },
  'open-minutes': { type: 'string', default: '30' },
  'idle-minutes': { type: 'string', default: '15' },
  'query-seconds': { type: 'string', default: '300' },
  lake: { type: 'string', default: 'on' },
} as const;

/** The same, for the help. */
export const STORE_DETAILS: readonly string[] = [
  'A server for a team, which keeps uploaded traces and shows them in browsers (docs/team-server.md):',
  '--store WHERE            a folder, or s3://BUCKET/PREFIX (with the variables that AWS tools take)',
  '--port N                 the port to listen on; 7333 by default',
  '--host ADDRESS           the address to listen on; 127.0.0.1 by default: a reverse proxy speaks HTTPS to others',
  '--public-url URL         the address that browsers use, such as https://traces.example',
  '--tokens FILE            who may come in, made by `outrank token`; without it one token is made and printed',
  '--trusted-proxy LIST     the addresses or networks of a reverse proxy, by commas: what it says of who asks is believed',
  '--identity-header NAME   the header in which it says their names; X-Forwarded-For says their addresses',
  '--identity-role ROLE     what those may do: view, upload (the default) or admin',
  '--work DIR               for uploads under way and converted traces; WHERE/work, or the cache for s3',
  '--audit FILE             who did what, JSON lines; DIR/audit.jsonl by default',
  '--max-trace SIZE         the largest trace; 32GiB by default',
  '--quota SIZE             all traces together; 1TiB by default',
  '--quota-each SIZE        all traces of one uploader; 200GiB by default',
  '--keep-days N            traces are removed after so many days; 90 by default, 0 for never',
  '--engines N              traces that are open at a time; by default what three quarters of the memory hold',
  '--engine-memory SIZE     the most memory of one open trace; 4GiB by default, which is also the most there can be',
  '--converter-memory SIZE  the most memory of a conversion; 2GiB by default (not on Windows)',
  '--open-minutes N         the longest that a trace may take to open; 30 by default',
  '--idle-minutes N         an unused trace is closed after so long; 15 by default',
  '--query-seconds N        the longest that a query may take; 300 by default',
  '--lake on|off            keep a lake of all traces in the store, asked at /lake; on by default, where DuckDB is installed',
];

type Values = Readonly<Partial<Record<keyof typeof STORE_OPTIONS, string>>>;

/** The most memory of an engine. A 32-bit program has 4 GiB at most. Throws a `UsageError`. */
export function readEngineMemory(value: string | undefined): number {
  return Math.min(4 * 1024 ** 3, readSize('engine-memory', value));
}

/** What the options mean. Throws a `UsageError`. */
export function readStoreOptions(values: Values) {
  const store = values.store ?? '';
  if (store === '') throw new UsageError('--store takes a folder, or s3://BUCKET/PREFIX');
  const memoryBytes = readEngineMemory(values['engine-memory']);
  const engines =
    values.engines === undefined
      ? Math.max(1, Math.floor((0.75 * totalmem()) / memoryBytes))
      : Math.max(1, readNumber('engines', values.engines));
  const inS3 = store.startsWith('s3://');
  const work = resolve(values.work ?? (inS3 ? join(cacheDir(), 'server') : join(store, 'work')));
  const eachBytes = readSize('max-trace', values['max-trace']);
  const keepDays = readNumber('keep-days', values['keep-days']);
  return {
    store: inS3 ? store : resolve(store),
    inS3,
    work,
    port: readNumber('port', values.port, 65_535),
    hostName: values.host ?? '',
    publicUrl: readPublicUrl(values['public-url']),
    tokensPath: values.tokens === undefined ? null : resolve(values.tokens),
    proxy: readProxy(values),
    auditPath: resolve(values.audit ?? join(work, 'audit.jsonl')),
    uploadLimits: {
      eachBytes,
      underWay: 16,
      abandonedMs: 24 * 3_600_000,
      slowMs: 60_000,
    },
    quotas: {
      totalBytes: readSize('quota', values.quota),
      eachBytes: readSize('quota-each', values['quota-each']),
    },
    keptMs: keepDays === 0 ? null : keepDays * 24 * 3_600_000,
    openLimits: { engines, idleMs: 60_000 * readNumber('idle-minutes', values['idle-minutes']) },
    memoryBytes,
    engineBytes: engineBytes(process.env.OUTRANK_ENGINE_BYTES, memoryBytes),
    converterLimits: {
      memoryBytes: readSize('converter-memory', values['converter-memory']),
      // What an archive unpacks to, and what a trace is converted to.
      fileBytes: eachBytes,
    },
    openLimitMs: 60_000 * Math.max(1, readNumber('open-minutes', values['open-minutes'], 24 * 60)),
    lake: choice('lake', values.lake ?? 'on', ['on', 'off']) === 'on',
    queryLimitMs: 1000 * Math.max(1, readNumber('query-seconds', values['query-seconds'])),
  };
}

/** Reads a size such as `500MB` or `4GiB`, in bytes. Throws a `UsageError`. */
export function readSize(option: string, text = ''): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(B|[KMGT]i?B)$/.exec(text) ?? [];
  if (number === undefined)
    throw new UsageError(`--${option} takes a size such as 500MB or 4GiB, not "${text}"`);
  const power = 'BKMGT'.indexOf(unit.charAt(0));
  return Math.floor(Number(number) * (unit.includes('i') ? 1024 : 1000) ** power);
}

/** Reads a whole number. Throws a `UsageError`. */
export function readNumber(option: string, text = '', most = 1_000_000): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw new UsageError(`--${option} takes a number from 0 to ${most}, not "${text}"`);
}

function readPublicUrl(text: string | undefined): URL | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/')
    throw new UsageError(
      `--public-url takes an address without a path, such as https://traces.example, not "${text}"`,
    );
  return url;
}

function readProxy(values: Values): Proxy | null {
  const header = values['identity-header'];
  const addresses = values['trusted-proxy'];
  if (header === undefined && addresses === undefined) return null;
  if (addresses === undefined || (header !== undefined && !/^[\w-]+$/.test(header)))
    throw new UsageError('--identity-header NAME is given with --trusted-proxy LIST');
  const role = choice('identity-role', values['identity-role'] ?? '', ROLES);
  const identity = header === undefined ? null : { header: header.toLowerCase(), role };
  try {
    return { addresses: readAddresses(addresses.split(',')), identity };
  } catch (error) {
    throw new UsageError(`--trusted-proxy: ${messageOf(error)}`);
  }
}
