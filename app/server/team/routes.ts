import type { IncomingMessage, ServerResponse } from 'node:http';
import { PAGE_HEADERS } from '../../host/page.ts';
import { WHOLE } from '../../host/part.ts';
import { answerLake } from '../lake-routes.ts';
import { sendFile } from '../static-files.ts';
import type { TraceStore } from '../store/trace-store.ts';
import type { TeamAccess } from './access.ts';
import type { Metrics } from './metrics.ts';
import { sendPageAlone } from './page-alone.ts';
import { readBody, sendJson } from './respond.ts';
import { TeamError } from './team-error.ts';
import { deleteTrace, describeTrace, downloadTrace, find, listTraces } from './trace-routes.ts';
import type { TraceContext } from './trace-routes.ts';
import { cancelUpload, continueUpload, startUpload, uploadOffset } from './upload-routes.ts';
import type { UploadContext } from './upload-routes.ts';
import { pathOf } from './viewer-host.ts';

/** What a team server answers with. */
export interface RouteContext extends TraceContext, UploadContext {
  readonly store: TraceStore;
  /** The folder of the built UI, absolute. */
  readonly ui: string;
  /** The folder of the page that works alone, absolute. */
  readonly web: string;
  readonly metrics: Metrics;
  readonly access: TeamAccess;
}

/** The page that lists the traces, and that asks for a token wherever one is missing. */
const TEAM_PAGE = '/team.html';
/** The page that asks all traces together. */
const LAKE_PAGE = '/lake.html';
const TRACE_ADDRESS = '/t/{id}/';

/** The table of routes. */
export class Routes {
  readonly #given: RouteContext;

  constructor(given: RouteContext) {
    this.#given = given;
  }

  /** Answers a request. Rejects with a {@link TeamError} where it refuses. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const given = this.#given;
    const { access, lake, ui, web } = given;
    for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
    const { url, method } = readTarget(request);
    const [, first = '', second = '', key = '', more] = url.pathname.split('/');
    const route = `${method} /${first}${second === '' ? '' : `/${second}`}`;
    if (route === 'GET /health') return this.#health(response);
    access.assertOurs(request);
    if (first === 't' && method === 'GET') return this.#page(request, response, url);
    if (first === 'api' && second === 'uploads' && more === undefined) {
      const you = await access.identify(request, 'upload', { changes: method !== 'HEAD' });
      if (key === '' && method === 'POST') return startUpload(given, request, response, you);
      if (key !== '' && method === 'HEAD') return uploadOffset(given, response, key, you);
      if (key !== '' && method === 'PATCH') return continueUpload(given, request, response, key, you);
      if (key !== '' && method === 'DELETE') return cancelUpload(given, response, key, you);
    }
    if (first === 'api' && second === 'traces') {
      const you = await access.identify(request, 'view', { changes: method === 'DELETE' });
      if (key === '' && method === 'GET') return listTraces(given, response, url, you);
      if (more === 'file' && method === 'GET') return downloadTrace(given, request, response, key, you);
      if (more === undefined && method === 'GET') return describeTrace(given, response, key, you);
      if (more === undefined && method === 'DELETE') return deleteTrace(given, request, response, key, you);
    }
    if (first === 'api' && second === 'lake' && more === undefined) {
      await access.identify(request, 'view', { changes: method !== 'GET' });
      if (lake === null) throw new TeamError(404, 'this server keeps no lake of its traces');
      if (key === '' && method === 'GET') return answerLake(lake.desk, null, TRACE_ADDRESS, response);
      if (key === 'ask' && method === 'POST')
        return answerLake(lake.desk, await readBody(request), TRACE_ADDRESS, response);
    }
    if (route === 'GET /metrics') return this.#tellMetrics(request, response);
    if (route === 'POST /sign-in') return this.#signIn(request, response);
    if (route === 'POST /sign-out') {
      await access.identify(request, 'view', { changes: true });
      response.writeHead(204, { 'set-cookie': access.signOutCookie });
      response.end();
      return;
    }
    if (method !== 'GET') throw new TeamError(405, `${method} is not known here`);
    if (first === 'alone') return sendPageAlone(web, url.pathname, response);
    // The UI's own files are the same everywhere, and public.
    const path = { '/': TEAM_PAGE, '/lake': LAKE_PAGE }[url.pathname] ?? url.pathname;
    if (path === '/index.html' || !(await sendFile(ui, path, response)))
      throw new TeamError(404, 'not found');
  }

  /** `/t/ID/`: the page that shows a trace, and what the page asks for under its address. */
  async #page(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const { access, library, ui } = this.#given;
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
      const path = pathOf(await find(library, id));
      sendJson(response, 200, { path, part: WHOLE, with: [], list: '../../' });
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

  async #signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { access, audit } = this.#given;
    const { identity, cookie } = await access.signIn(request, (await readBody(request)).trim());
    audit.write({ action: 'signed_in', by: identity.name, from: access.addressOf(request) });
    sendJson(response, 200, identity, { 'set-cookie': cookie });
  }

  async #health(response: ServerResponse): Promise<void> {
    const broken = await this.#given.store.check().then(
      () => false,
      () => true,
    );
    sendJson(response, broken ? 503 : 200, { status: broken ? 'the store cannot be used' : 'ok' });
  }

  async #tellMetrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { access, lake, library, metrics, openTraces, uploads } = this.#given;
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
}

/** Path and method of a request; `HEAD` of a page counts as `GET`. Throws a `TeamError` if the address is none. */
export function readTarget({ url = '/', method = 'GET' }: IncomingMessage): {
  readonly url: URL;
  readonly method: string;
} {
  if (!url.startsWith('/') || !URL.canParse(`http://localhost${url}`))
    throw new TeamError(400, 'not an address');
  const target = new URL(`http://localhost${url}`);
  const isPage = method === 'HEAD' && !target.pathname.startsWith('/api/uploads/');
  return { url: target, method: isPage ? 'GET' : method };
}
