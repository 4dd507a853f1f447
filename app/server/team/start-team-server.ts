import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { listen } from '../listen.ts';
import { isFull } from '../store/durable.ts';
import { StoreError } from '../store/trace-store.ts';
import type { TraceStore } from '../store/trace-store.ts';
import { TeamAccess } from './access.ts';
import type { AccessOptions } from './access.ts';
import { Audit } from './audit.ts';
import { Library } from './library.ts';
import type { Quotas } from './library.ts';
import { Metrics } from './metrics.ts';
import { OpenTraces } from './open-traces.ts';
import type { OpenLimits } from './open-traces.ts';
import { sendText } from './respond.ts';
import { readTarget, Routes } from './routes.ts';
import type { EngineSettings } from './shared-trace.ts';
import { TeamError } from './team-error.ts';
import { find } from './trace-routes.ts';
import { TeamLake, type KeptLake } from './team-lake.ts';
import { Uploads } from './uploads.ts';
import type { UploadLimits } from './uploads.ts';
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
/** Serves a store of traces to a team. Rejects if the address cannot be had. */
export async function startTeamServer(options: TeamServerOptions): Promise<RunningTeamServer> {
  const { store, ui, web, hostName, keptMs, say } = options;
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
  const routes = new Routes({
    ...{ store, ui, web, keptMs, metrics, library, uploads, openTraces, access, audit, lake },
  });
  // An upload may take longer than the default limit of five minutes; a body that brings too little is broken off.
  const server = createServer({ requestTimeout: 0, headersTimeout: 20_000 });
  server.maxConnections = MOST_CONNECTIONS;

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
    routes.answer(request, response).catch((error: unknown) => {
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
  const { port, origin } = await listen(server, hostName, options.port);
  access.port = port;
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => say(`clearing up failed: ${String(error)}`));
  }, SWEEP_MS);
  const memoryTimer = setInterval(() => void openTraces.endTooLarge(), LOOK_AT_MEMORY_MS);
  return {
    url: options.publicUrl?.origin ?? origin,
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
