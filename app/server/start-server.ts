import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import { sendTable } from './send-table.ts';
import type { Host, TracePart } from '../host/api.ts';
import { LONGEST_REQUEST_BYTES } from '../host/protocol.ts';
import { WHOLE } from '../host/part.ts';
import { PAGE_HEADERS } from '../host/page.ts';
import { webSocketPort } from '../../shared/border/index.ts';
import { serveHost } from '../host/serve-host.ts';
import { allowExports } from '../host/allow-exports.ts';
import { Access } from './access.ts';
import { allowOnly } from './allow-only.ts';
import { Exports } from './exports.ts';
import { answerLake } from './lake-routes.ts';
import { listen } from './listen.ts';
import { readSmallBody, SMALL_BODY_BYTES } from './small-body.ts';
import { sendFile } from './static-files.ts';
import { TooLargeError, Uploads } from './uploads.ts';
import type { LakeDesk } from '../../shared/lake/index.ts';
import { messageOf } from '../../shared/model/index.ts';

/** What {@link startServer} is given. */
export interface ServerOptions {
  readonly host: Host;
  /** The folder of the built UI, absolute. */
  readonly ui: string;
  /** The traces that may be opened; the first is opened at once. */
  readonly traces: readonly string[];
  /** More paths that may be opened; it may grow while the server runs. */
  readonly allowed?: Set<string>;
  /** The other files of the first trace's recording. */
  readonly with?: readonly string[];
  /** What of the first trace is opened; absent for all. */
  readonly part?: TracePart;
  /** The lake that the server asks; its page is shown first. */
  readonly lake?: LakeDesk;
  /** The folder in which uploads get a folder of their own. */
  readonly uploadsDir: string;
  readonly uploadLimitBytes?: number;
  /** The address to listen on. */
  readonly hostName: string;
  /** 0 takes any free one. */
  readonly port: number;
}

/** A server that runs. */
export interface RunningServer {
  /** The address to open in a browser: it holds the token. */
  readonly url: string;
  close(): Promise<void>;
}

const UPLOAD_LIMIT_BYTES = 32 * 1024 ** 3;
/** A page that is loaded again within this time finds its trace still open. */
const LINGER_MS = 60_000;
/** Where a trace of the lake is shown: a link says which it is. */
const TRACE_ADDRESS = '/index.html';
const REFUSAL = 'Outrank does not know this browser: open the address that `outrank serve` printed.\n';
/**
 * Following a link of our own page counts as same-site, so that the cookie is sent; the token leaves the address bar, and
 * the fragment, which says where in the trace to go, stays: see `app/ui/public/enter.js`.
 */
const TO_PAGE =
  '<!doctype html><title>Outrank</title><link rel="icon" href="data:,"><script src="/enter.js"></script>';

/** Serves the UI and the host. Rejects if the address cannot be had. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const traces = options.traces.map((path) => resolve(path));
  const others = (options.with ?? []).map((path) => resolve(path));
  const allowed = options.allowed ?? new Set();
  for (const path of [...traces, ...others]) allowed.add(path);
  const firstPage = options.lake === undefined ? '/index.html' : '/lake.html';
  const exports = new Exports(options.uploadsDir);
  const host = allowExports(allowOnly(options.host, allowed), exports.paths);
  const uploads = new Uploads(options.uploadsDir, options.uploadLimitBytes ?? UPLOAD_LIMIT_BYTES);
  const access = new Access(options.hostName);
  // Loaded only where something is served: most commands serve nothing.
  const { WebSocketServer } = await import('ws');
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LONGEST_REQUEST_BYTES });
  // An upload may take longer than the default limit of five minutes.
  const server = createServer({ requestTimeout: 0 });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
    const url = requestUrl(request);
    const post = request.method === 'POST';
    if (!post && request.method !== 'GET' && request.method !== 'HEAD') {
      sendText(response, 405, 'only GET, HEAD and POST are known here\n');
      return;
    }
    const verdict = url === null ? 'refused' : access.judge(request, url, { fromPage: post });
    if (url === null || verdict === 'refused') {
      sendText(response, 403, REFUSAL);
    } else if (verdict === 'exchange') {
      response.setHeader('set-cookie', access.cookie).setHeader('content-type', 'text/html; charset=utf-8');
      response.end(TO_PAGE);
    } else if (post) {
      if (url.pathname === '/upload') await upload(request, url, response);
      else if (url.pathname === '/api/lake/ask' && options.lake !== undefined)
        await askLake(options.lake, request, response);
      else if (url.pathname === '/export')
        sendJson(response, { path: await exports.place(url.searchParams.get('name') ?? '') });
      else sendText(response, 404, 'not found\n');
    } else if (url.pathname === '/start.json') {
      sendJson(response, {
        path: options.lake === undefined ? (traces[0] ?? null) : null,
        part: options.part ?? WHOLE,
        with: others,
      });
    } else if (url.pathname === '/api/lake' && options.lake !== undefined) {
      await answerLake(options.lake, null, TRACE_ADDRESS, response);
    } else if (url.pathname === '/table') {
      await sendTable(host, url.searchParams, response);
    } else if (url.pathname === '/export') {
      const isSent = await exports.send(url.searchParams.get('path') ?? '', response);
      if (!isSent) sendText(response, 404, 'This export is gone: export again.\n');
    } else if (!(await sendFile(options.ui, url.pathname === '/' ? firstPage : url.pathname, response))) {
      sendText(response, 404, 'not found\n');
    }
  }

  async function askLake(lake: LakeDesk, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readSmallBody(request);
    if (body === null) sendText(response, 413, `At most ${SMALL_BODY_BYTES} bytes are taken here.\n`);
    else await answerLake(lake, body, TRACE_ADDRESS, response);
  }

  async function upload(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
    try {
      const path = await uploads.keep(url.searchParams.get('name') ?? '', request);
      allowed.add(path);
      sendJson(response, { path });
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      sendText(response, 413, `The file is too large for this server: ${error.message}.\n`);
    }
  }

  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendText(response, 500, `${messageOf(error)}\n`);
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const url = requestUrl(request);
    if (url?.pathname !== '/socket' || access.judge(request, url, { fromPage: true }) !== 'allowed') {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      // After an error (a message too long, a broken frame) the socket closes, which is all that matters here.
      webSocket.on('error', () => webSocket.terminate());
      serveHost(host, webSocketPort(webSocket), { lingerMs: LINGER_MS });
    });
  });

  const { port, origin } = await listen(server, options.hostName, options.port);
  access.port = port;
  return {
    url: `${origin}/?token=${access.token}`,
    async close() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await Promise.all([uploads.end(), exports.end()]);
    },
  };
}

/** The address of a request; null if it is none. */
function requestUrl({ url = '/' }: IncomingMessage): URL | null {
  return URL.canParse(`http://localhost${url}`) ? new URL(`http://localhost${url}`) : null;
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(JSON.stringify(value));
}
