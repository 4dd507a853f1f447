import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { PAGE_HEADERS } from '../../host/page.ts';
import { WHOLE } from '../../host/part.ts';
import { answerLake } from '../lake-routes.ts';
import { sendFile } from '../static-files.ts';
import { isFull } from '../store/durable.ts';
import { StoreError } from '../store/trace-store.ts';
import type { TraceStore } from '../store/trace-store.ts';
import { TeamAccess } from './access.ts';
import type { AccessOptions } from './access.ts';
import { Audit } from './audit.ts';
import { Library } from './library.ts';
import type { Quotas } from './library.ts';
import { sendPageAlone } from './page-alone.ts';
import { Metrics } from './metrics.ts';
import { OpenTraces } from './open-traces.ts';
import type { OpenLimits } from './open-traces.ts';
import { readBody, sendJson, sendText } from './respond.ts';
import type { EngineSettings } from './shared-trace.ts';
import { TeamError } from './team-error.ts';
import { deleteTrace, describeTrace, downloadTrace, find, listTraces } from './trace-routes.ts';
import { cancelUpload, continueUpload, startUpload, uploadOffset } from './upload-routes.ts';
import { TeamLake, type KeptLake } from './team-lake.ts';
import { Uploads } from './uploads.ts';
import type { UploadLimits } from './uploads.ts';
import { pathOf } from './viewer-host.ts';
import { Viewers } from './viewers.ts';
import { messageOf } from '../../../shared/model/index.ts';

/** What {@link startTeamServer} is given. */
export interface TeamServerOptions extends AccessOptions {
  readonly store: TraceStore;
  /** Where uploads under way are kept, on the disk of the store if that is one. */
  readonly uploadsDir: string;
  /** The audit log, JSON lines. */
  readonly auditPath: string;
  /** The folder of the built UI, absolute. */
  readonly ui: string;
  /** The folder of the page that works alone (`scripts/build-web.mjs`), absolute; it need not be there. */
  readonly web: string;
  readonly engines: EngineSettings;
  readonly openLimits: OpenLimits;
  readonly uploadLimits: UploadLimits;
  readonly quotas: Quotas;
  /** Makes the lake of the store's traces. Only those of `visible` may be asked. Null where no lake is kept. */
  readonly makeLake: ((visible: () => Promise<ReadonlySet<string>>) => KeptLake) | null;
  /** How long traces are kept, in ms; null for ever. */
  readonly keptMs: number | null;
  /** 0 takes any free one. */
  readonly port: number;
  /** Hears what the operator should know. */
  readonly say: (message: string) => void;
}

/** A team server that runs. */
export interface RunningTeamServer {
  /** The address that browsers open. */
  readonly url: string;
  /** Does now what is done each minute: removes what expired or was abandoned, and closes what is not in use. */
  sweep(): Promise<void>;
  /** Null where it keeps none. */
  readonly lake: TeamLake | null;
  close(): Promise<void>;
}

const SWEEP_MS = 30_000;
const LOOK_AT_MEMORY_MS = 1000;
const MOST_CONNECTIONS = 2000;
/** The page that lists the traces, and that asks for a token wherever one is missing. */
const TEAM_PAGE = '/team.html';
/** The page that asks all traces together. */
const LAKE_PAGE = '/lake.html';
const TRACE_ADDRESS = '/t/{id}/';

/** Serves a store of traces to a team. Rejects if the address cannot be had. */
export async function startTeamServer(options: TeamServerOptions): Promise<RunningTeamServer> {
  const { store, ui, hostName, keptMs, say } = options;
  const metrics = new Metrics();
  const library = new Library(store, options.quotas);
  const uploads = await Uploads.open(options.uploadsDir, options.uploadLimits);
  const openTraces = new OpenTraces(library, options.openLimits, options.engines, metrics);
  const viewers = await Viewers.of(openTraces);
  const access = new TeamAccess(options);
  const audit = new Audit(options.auditPath, say);
  const visible = async (): Promise<ReadonlySet<string>> =>
    new Set((await library.list({ most: Infinity })).traces.map(({ id }) => id));
  const kept = options.makeLake?.(visible) ?? null;
  const lake = kept === null ? null : new TeamLake(kept, library, say);
  const traces = { library, openTraces, audit, lake };
  const taking = { library, uploads, audit, metrics, keptMs, lake };
  // An upload may take longer than the default limit of five minutes; a body that brings too little is broken off.
  const server = createServer({ requestTimeout: 0, headersTimeout: 20_000 });
  server.maxConnections = MOST_CONNECTIONS;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
    const { url, method } = readTarget(request);
    const [, first = '', second = '', key = '', more] = url.pathname.split('/');
    const route = `${method} /${first}${second === '' ? '' : `/${second}`}`;
    if (route === 'GET /health') return health(response);
    access.assertOurs(request);
    if (first === 't' && method === 'GET') return page(request, response, url);
    if (first === 'api' && second === 'uploads' && more === undefined) {
      const you = await access.identify(request, 'upload', { changes: method !== 'HEAD' });
      if (key === '' && method === 'POST') return startUpload(taking, request, response, you);
      if (key !== '' && method === 'HEAD') return uploadOffset(taking, response, key, you);
      if (key !== '' && method === 'PATCH') return continueUpload(taking, request, response, key, you);
      if (key !== '' && method === 'DELETE') return cancelUpload(taking, response, key, you);
    }
    if (first === 'api' && second === 'traces') {
      const you = await access.identify(request, 'view', { changes: method === 'DELETE' });
      if (key === '' && method === 'GET') return listTraces(traces, response, url, you);
      if (more === 'file' && method === 'GET') return downloadTrace(traces, request, response, key, you);
      if (more === undefined && method === 'GET') return describeTrace(traces, response, key, you);
      if (more === undefined && method === 'DELETE') return deleteTrace(traces, request, response, key, you);
    }
    if (first === 'api' && second === 'lake' && more === undefined) {
      await access.identify(request, 'view', { changes: method !== 'GET' });
      if (lake === null) throw new TeamError(404, 'this server keeps no lake of its traces');
      if (key === '' && method === 'GET') return answerLake(lake.desk, null, TRACE_ADDRESS, response);
      if (key === 'ask' && method === 'POST')
        return answerLake(lake.desk, await readBody(request), TRACE_ADDRESS, response);
    }
    if (route === 'GET /metrics') return tellMetrics(request, response);
    if (route === 'POST /sign-in') return signIn(request, response);
    if (route === 'POST /sign-out') {
      await access.identify(request, 'view', { changes: true });
      response.writeHead(204, { 'set-cookie': access.signOutCookie });
      response.end();
      return;
    }
    if (method !== 'GET') throw new TeamError(405, `${method} is not known here`);
    if (first === 'alone') return sendPageAlone(options.web, url.pathname, response);
    // The UI's own files are the same everywhere, and public.
    const path = { '/': TEAM_PAGE, '/lake': LAKE_PAGE }[url.pathname] ?? url.pathname;
    if (path === '/index.html' || !(await sendFile(ui, path, response)))
      throw new TeamError(404, 'not found');
  }

  /** `/t/ID/`: the page that shows a trace, and what the page asks for under its address. */
  async function page(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const [, , id = '', file, more] = url.pathname.split('/');
    if (file === undefined) {
      // The page asks for files relative to its address, which must end with a slash for that. A browser keeps the fragment,
      // which says where in the trace to go.
      response.writeHead(302, { location: `/t/${encodeURIComponent(id)}/` });
      response.end();
    } else if (more !== undefined || (file !== '' && file !== 'start.json')) {
      throw new TeamError(404, 'not found');
    } else if (file === 'start.json') {
      await access.identify(request, 'view');
      sendJson(response, 200, { path: pathOf(await find(library, id)), part: WHOLE, with: [] });
    } else {
      const shown = await access
        .identify(request, 'view')
        .then(() => find(library, id))
        .then(
          () => '/index.html',
          (error: unknown) => {
            if (error instanceof TeamError && (error.status === 401 || error.status === 404))
              return TEAM_PAGE;
            throw error;
          },
        );
      if (!(await sendFile(ui, shown, response))) throw new TeamError(500, `${ui}: the UI is not built`);
    }
  }

  async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { identity, cookie } = await access.signIn(request, (await readBody(request)).trim());
    audit.write({ action: 'signed_in', by: identity.name, from: access.addressOf(request) });
    sendJson(response, 200, identity, { 'set-cookie': cookie });
  }

  async function health(response: ServerResponse): Promise<void> {
    const broken = await store.check().then(
      () => false,
      () => true,
    );
    sendJson(response, broken ? 503 : 200, { status: broken ? 'the store cannot be used' : 'ok' });
  }

  async function tellMetrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await access.identify(request, 'view');
    // What the server itself does is told, whatever becomes of its store.
    const usage = await library.usage().catch(() => null);
    const text = metrics.text({
      outrank_store_usable: usage === null ? 0 : 1,
      outrank_traces: usage?.count ?? NaN,
      outrank_stored_bytes: usage?.sizeBytes ?? NaN,
      outrank_traces_damaged: library.damagedCount,
      outrank_uploads_under_way: uploads.all.length,
      outrank_engines: openTraces.count,
      outrank_engine_memory_bytes: await openTraces.memoryBytes(),
      outrank_server_memory_bytes: process.memoryUsage.rss(),
      outrank_viewers: openTraces.viewerCount,
      outrank_lake_waiting: lake?.waiting ?? NaN,
      outrank_lake_failed: lake?.failed ?? NaN,
    });
    response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(text);
  }

  /** What went wrong, as status and words; a broken store or a bug is told to the operator too. */
  function refusal(request: IncomingMessage, error: unknown): TeamError {
    if (error instanceof TeamError) {
      if (error.status === 401 || error.status === 403 || error.status === 429) {
        metrics.count('outrank_refused_total');
        audit.write({ action: 'refused', by: null, from: access.addressOf(request), why: error.message });
      }
      return error;
    }
    metrics.count('outrank_http_failures_total');
    say(`${request.method ?? ''} ${request.url ?? ''}: ${messageOf(error)}`);
    if (error instanceof StoreError)
      return new TeamError(503, 'the storage of this server cannot be used now: try again later', {
        'retry-after': '5',
      });
    if (isFull(error)) return new TeamError(507, 'the disk of this server is full');
    return new TeamError(500, 'this server failed; its operator finds why in its output');
  }

  server.on('request', (request, response) => {
    metrics.count('outrank_http_requests_total');
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) {
        response.destroy();
        return;
      }
      const { status, message, headers } = refusal(request, error);
      sendText(response, status, `${message}\n`, headers);
    });
  });

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    connect(request, socket, head).catch((error: unknown) => {
      const { status, message } = refusal(request, error);
      socket.end(
        `HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-type: text/plain\r\n\r\n${message}\n`,
      );
    });
  });

  async function connect(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    access.assertOurs(request);
    const [, first, id = '', last, more] = readTarget(request).url.pathname.split('/');
    if (first !== 't' || last !== 'socket' || more !== undefined) throw new TeamError(404, 'not found');
    if (request.headers.origin === undefined) throw new TeamError(403, 'only our own pages connect');
    const identity = await access.identify(request, 'view', { changes: true });
    const record = await find(library, id);
    viewers.assertRoom(identity);
    const isValid = (): Promise<boolean> =>
      access.identify(request, 'view', { changes: true }).then(
        () => true,
        () => false,
      );
    viewers.add(request, socket, head, record, { identity, isValid });
    audit.write({ action: 'opened', by: identity.name, from: access.addressOf(request), trace: id });
  }

  async function sweep(): Promise<void> {
    openTraces.closeIdle();
    await viewers.check();
    for (const { by, id, name } of await uploads.giveUpAbandoned())
      audit.write({ action: 'upload_abandoned', by, from: null, trace: id, name });
    for (const { id, name } of await library.removeExpired()) {
      metrics.count('outrank_traces_expired_total');
      openTraces.drop(id);
      lake?.follow(id);
      audit.write({ action: 'expired', by: null, from: null, trace: id, name });
    }
  }

  lake?.catchUp().catch((error: unknown) => say(`the lake cannot be read: ${messageOf(error)}`));
  await new Promise<void>((listening, reject) => {
    server.once('error', reject);
    server.listen(options.port, hostName, listening);
  });
  const { port } = server.address() as AddressInfo;
  access.port = port;
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => say(`clearing up failed: ${String(error)}`));
  }, SWEEP_MS);
  const memoryTimer = setInterval(() => void openTraces.endTooLarge(), LOOK_AT_MEMORY_MS);
  const name = hostName.includes(':') ? `[${hostName}]` : hostName;
  return {
    url: options.publicUrl?.origin ?? `http://${name}:${port}`,
    sweep,
    lake,
    async close() {
      clearInterval(timer);
      clearInterval(memoryTimer);
      viewers.end();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await openTraces.end();
      await lake?.end();
      await audit.flush();
    },
  };
}

/** Path and method of a request; `HEAD` of a page counts as `GET`. Throws a `TeamError` if the address is none. */
function readTarget({ url = '/', method = 'GET' }: IncomingMessage): {
  readonly url: URL;
  readonly method: string;
} {
  if (!url.startsWith('/') || !URL.canParse(`http://localhost${url}`))
    throw new TeamError(400, 'not an address');
  const target = new URL(`http://localhost${url}`);
  const isPage = method === 'HEAD' && !target.pathname.startsWith('/api/uploads/');
  return { url: target, method: isPage ? 'GET' : method };
}
