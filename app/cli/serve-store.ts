import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startProcessEngine } from '../../shared/engine/process-engine.ts';
import { FolderStore } from '../server/store/folder-store.ts';
import { readS3Address } from '../server/store/s3-asker.ts';
import { S3Store } from '../server/store/s3-store.ts';
import type { TraceStore } from '../server/store/trace-store.ts';
import { startTeamServer } from '../server/team/start-team-server.ts';
import { makeToken, Tokens } from '../server/team/tokens.ts';
import type { Proxy } from '../server/team/access.ts';
import { UsageError } from './command.ts';
import { places } from './session.ts';
import { STORE_OPTIONS, readStoreOptions } from './store-options.ts';
import { teamLake, type TeamLakeOptions } from './team-lake.ts';
import { interrupted, print, say } from './terminal.ts';

/** The largest answer of a query; of more, no page can make a picture. */
const ANSWER_BYTES = 256 << 20;
/** What the process of an engine may take besides the memory of the trace. */
const PROCESS_BYTES = 1 << 30;
/** Answers that are kept of each open trace. */
const ANSWERS_BYTES = 128 << 20;

/** `outrank serve --store`: serves a team until it is interrupted. The address goes to stdout, and a token if one is made. */
export async function serveStore(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: STORE_OPTIONS });
  const options = readStoreOptions(values);
  const { store, work, memoryBytes } = options;
  const { tokens, printed } = await readTokens(options.tokensPath, options.proxy);
  const lake = await lakeOf(options);
  const server = await startTeamServer({
    ...options,
    tokens,
    store: await openStore(store, work),
    uploadsDir: join(work, 'uploads'),
    ui: places.ui,
    web: places.web,
    engines: {
      workDir: work,
      converterPath: places.converter,
      engineBytes: options.engineBytes,
      processBytes: memoryBytes + PROCESS_BYTES,
      converterLimits: options.converterLimits,
      openLimitMs: options.openLimitMs,
      queryLimitMs: options.queryLimitMs,
      answerBytes: ANSWER_BYTES,
      answersBytes: ANSWERS_BYTES,
      startEngine: () =>
        startProcessEngine({
          workerPath: join(places.dist, 'engine-worker.cjs'),
          wasmPath: join(places.engine, 'trace_processor.wasm'),
          memoryBytesMax: memoryBytes,
        }),
    },
    makeLake: lake === null ? null : (visible) => teamLake(lake, visible),
    say,
  });
  await print([`Outrank serves ${store} at ${server.url}\n`, ...printed]);
  await interrupted();
  await server.close();
  return 0;
}

async function openStore(store: string, work: string): Promise<TraceStore> {
  if (!store.startsWith('s3://')) return FolderStore.open(join(store, 'traces'));
  const address = readS3Address(store);
  if (address === null) throw new UsageError(`--store takes a folder, or s3://BUCKET/PREFIX, not "${store}"`);
  const endpoint = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
  const dirs = { copiesDir: join(work, 'copies'), begunDir: join(work, 'begun') };
  return S3Store.open({ ...address, ...dirs, endpoint });
}

/** Where the lake of a store lies; null where none is wanted, or DuckDB is not installed. */
async function lakeOf({
  lake,
  store,
  work,
  converterLimits,
  memoryBytes,
  openLimitMs,
}: ReturnType<typeof readStoreOptions>): Promise<TeamLakeOptions | null> {
  if (!lake) return null;
  try {
    await import('@duckdb/node-api');
  } catch {
    say('no lake of the traces is kept: it needs @duckdb/node-api: npm install it next to outrank');
    return null;
  }
  // Apart from the traces: a list of a bucket's traces goes through all that lies under their prefix.
  const isBare = /^s3:\/\/[^/]+\/?$/.test(store);
  const end = isBare || !store.startsWith('s3://') ? '/lake' : '-lake';
  const address = store.replace(/\/$/, '') + end;
  const limits = converterLimits;
  return { address, workDir: work, limits, engineMemoryBytes: memoryBytes, limitMs: openLimitMs };
}

async function readTokens(path: string | null, proxy: Proxy | null) {
  if (path !== null) return { tokens: await Tokens.open(path), printed: [] };
  if (proxy?.identity) return { tokens: Tokens.none(), printed: [] };
  const token = makeToken();
  const tokens = Tokens.one(token, { name: 'operator', role: 'admin' });
  return { tokens, printed: [`Until it ends, this token opens it: ${token}\n`] };
}
