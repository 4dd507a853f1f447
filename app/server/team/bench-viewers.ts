/**
 * Measures many viewers of one trace on a team server: `node scripts/bench.mjs viewers TRACE`. The server is a process of
 * its own, this one is all its viewers.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { makeQuery, type Query } from '../../../shared/engine/index.ts';
import { formatBytes } from '../../../shared/model/index.ts';
import { readParams, type TimeRange } from '../../../shared/view/index.ts';
import { views } from '../../../views/index.ts';
import { connectHost } from '../../host/connect-host.ts';
import { findCheckout } from '../../host/locate.ts';
import { webSocketPort } from '../../../shared/border/index.ts';
import { addToken } from './tokens.ts';
import { uploadTrace } from '../../host/remote/upload.ts';

const VIEWERS = 50;
/** How often each viewer zooms, to a range that no other viewer looks at. */
const ZOOMS = 3;
const VIEWS = ['cpu-usage', 'ready-latency', 'wake-chain'];
/** What somebody who reads a picture takes before the next zoom. */
const THINKS_MS = 2000;
/** Of so many zooms one is corrected while its picture is being loaded, */
const CORRECTED = 4;
/** after this time. */
const CORRECTED_AFTER_MS = 150;

interface Viewer {
  readonly queryWhile: (signal?: AbortSignal) => Query;
  readonly range: TimeRange;
}

/** Prints the latency of queries, as viewers feel it, and the memory of the server and its engine. */
export async function bench(path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'outrank-bench-'));
  const tokensPath = join(folder, 'tokens.json');
  const token = await addToken(tokensPath, 'bench', 'upload');
  const cli = join(findCheckout(import.meta.dirname), 'app', 'cli', 'outrank.mjs');
  const store = ['--store', join(folder, 'store'), '--lake', 'off'];
  const args = [cli, 'serve', ...store, '--tokens', tokensPath, '--port', '0'];
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
    const origin = /http:\/\/\S+/.exec(line)?.[0] ?? '';
    const { url } = await uploadTrace({ path, to: new URL(origin), token });
    const latencies_ms: number[] = [];
    const began = performance.now();
    const viewers = await Promise.all(
      Array.from({ length: VIEWERS }, () => connect(origin, url, token, latencies_ms)),
    );
    console.log(
      `${VIEWERS} viewers have the trace open after ${((performance.now() - began) / 1000).toFixed(1)} s`,
    );
    const measure = meter(server.pid ?? 0, latencies_ms);
    await measure('the same picture', () => Promise.all(viewers.map((viewer) => load(viewer, viewer.range))));
    const pictures_ms: number[] = [];
    await measure('each zooms elsewhere, and thinks', () =>
      Promise.all(viewers.map((viewer, at) => readOn(viewer, at, pictures_ms))),
    );
    tell('their pictures', pictures_ms);
    await measure('each zooms elsewhere, without a pause', () =>
      Promise.all(
        viewers.map(async (viewer, at) => {
          for (let zoom = 0; zoom < ZOOMS; zoom++) await load(viewer, ownRange(viewer.range, at, zoom));
        }),
      ),
    );
    const metrics = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    console.log(memoryOf(await metrics.text()));
  } finally {
    server.kill('SIGINT');
    await once(server, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}

async function connect(origin: string, url: string, token: string, latencies_ms: number[]): Promise<Viewer> {
  const headers = { authorization: `Bearer ${token}`, origin };
  const start = await fetch(`${url}/start.json`, { headers });
  const { path } = (await start.json()) as { path: string };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`, { headers });
  await once(socket, 'open');
  const host = connectHost(webSocketPort(socket));
  const { id, summary } = await host.open(path, {});
  const queryWhile = (signal?: AbortSignal): Query =>
    makeQuery(async (sql) => {
      const asked = performance.now();
      const bytes = await host.query(id, sql, signal);
      latencies_ms.push(performance.now() - asked);
      return bytes;
    });
  if (summary === null) throw new Error('no Windows trace');
  return { queryWhile, range: summary.range };
}

/** Loads one of the views, or all of them. */
async function load(
  { queryWhile }: Viewer,
  range: TimeRange,
  { only, signal }: { readonly only?: string | undefined; readonly signal?: AbortSignal } = {},
): Promise<void> {
  for (const view of views.filter(({ id }) => (only === undefined ? VIEWS.includes(id) : id === only)))
    await view.load(queryWhile(signal), readParams(view.params, {}), range);
}

/** Reads one view as people do: zooms, sometimes once more before the picture is there, and looks at the picture. */
async function readOn(viewer: Viewer, at: number, pictures_ms: number[]): Promise<void> {
  const only = VIEWS[at % VIEWS.length];
  await setTimeout((THINKS_MS * at) / VIEWERS);
  for (let zoom = 0; zoom < ZOOMS; zoom++) {
    const range = ownRange(viewer.range, at, zoom);
    if ((at + zoom) % CORRECTED === 0) {
      const moved = new AbortController();
      const outdated = load(viewer, { ...range, end: range.end - 1e6 }, { only, signal: moved.signal });
      await setTimeout(CORRECTED_AFTER_MS);
      moved.abort();
      await outdated.catch(() => undefined);
    }
    const began = performance.now();
    await load(viewer, range, { only });
    pictures_ms.push(performance.now() - began);
    await setTimeout(THINKS_MS);
  }
}

/** A fifth of the trace, for each viewer and zoom another. */
function ownRange({ start, end }: TimeRange, viewer: number, zoom: number): TimeRange {
  const length = (end - start) / 5;
  const from = start + ((viewer * ZOOMS + zoom) / (VIEWERS * ZOOMS)) * (end - start - length);
  return { start: Math.round(from), end: Math.round(from + length) };
}

/** Measures what is done by viewers of a server, whose own processor time does not depend on what else the machine does. */
function meter(server: number, latencies_ms: number[]) {
  return async (what: string, work: () => Promise<unknown>): Promise<void> => {
    latencies_ms.length = 0;
    const began = performance.now();
    const before = await processorTimes(server);
    await work();
    const after = await processorTimes(server);
    const took_s = (performance.now() - began) / 1000;
    tell(`${what}: queries in ${took_s.toFixed(1)} s, load ${loadavg()[0]?.toFixed(1) ?? ''}`, latencies_ms);
    const used = (['engine_s', 'server_s'] as const).map((each) => (after[each] - before[each]).toFixed(2));
    console.log(`  processor: engine ${used[0] ?? ''} s, server ${used[1] ?? ''} s`);
  };
}

/** Processor time of the server and of its engines so far, on Linux; elsewhere 0. */
async function processorTimes(
  server: number,
): Promise<{ readonly engine_s: number; readonly server_s: number }> {
  const read = (path: string): Promise<string> => readFile(`/proc/${path}`, 'utf8').catch(() => '');
  const timeOf = async (pid: number): Promise<number> => {
    const fields = (await read(`${pid}/stat`)).split(') ').at(-1)?.split(' ') ?? [];
    // Time in its own code and in the system's, in hundredths of a second.
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
  };
  const children = (await read(`${server}/task/${server}/children`)).split(' ').filter(Boolean);
  const times = await Promise.all(children.map((pid) => timeOf(Number(pid))));
  return { engine_s: times.reduce((sum, each) => sum + each, 0), server_s: await timeOf(server) };
}

function tell(what: string, times_ms: number[]): void {
  const sorted = times_ms.sort((a, b) => a - b);
  const at = (share: number): string =>
    `${(sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0)} ms`;
  console.log(`${what}: ${sorted.length}; p50 ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)}`);
}

function memoryOf(metrics: string): string {
  const read = (name: string): string => new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? '0';
  const engines = formatBytes(Number(read('outrank_engine_memory_bytes')));
  const server = formatBytes(Number(read('outrank_server_memory_bytes')));
  const computed = read('outrank_query_seconds_count');
  return `${read('outrank_engines')} engine of ${engines}, server ${server}; the engine ran ${computed} queries`;
}
