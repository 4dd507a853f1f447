import type { ModelCall, ModelSource } from '../models/source.ts';
import type { Host, OpenOptions, RemoteLakes, TraceId } from './api.ts';
import type { Port } from '../../shared/border/index.ts';
import { readRequest, readUnread, writeFailure } from './protocol.ts';
import type { Reply, Request } from './protocol.ts';

/** More calls than this at once from one client are refused: no honest one comes near. */
const MOST_CALLS = 1000;

/** A page shows one trace, and makes first pictures aside: more sources at once are refused. */
const MOST_SOURCES = 100;

/** A longer answer goes as several messages: a page takes each in a task of its own, and answers its user in between. */
const PIECE_BYTES = 1 << 20;

type Call = Exclude<Request, { type: 'abort' }>;

/** How {@link serveHost} deals with a client that leaves. */
export interface ServeOptions {
  /** How long its traces stay open after the port closed, so that a reloaded page need not load them again; in ms. */
  readonly lingerMs?: number;
}

/** Answers the calls that come over `port`. When it closes, running calls are aborted and its traces closed. */
export function serveHost(host: Host, port: Port, { lingerMs = 0 }: ServeOptions = {}): void {
  const running = new Map<number, AbortController>();
  /** A client that opens a trace again holds it once. */
  const opened = new Set<TraceId>();
  /** Sources of models, by the client's numbers. */
  const sources = new Map<number, ModelSource<Uint8Array>>();
  let closed = false;

  port.onClose(() => {
    closed = true;
    for (const controller of running.values()) controller.abort();
    for (const source of sources.values()) source.end();
    sources.clear();
    const timer = setTimeout(() => {
      for (const id of opened) void host.close(id).catch(() => undefined);
    }, lingerMs);
    if (lingerMs > 0) (timer as { unref?: () => void }).unref?.();
  });
  port.onMessage((message) => {
    const request = readRequest(message);
    if (!request) {
      const unread = readUnread(message);
      if (unread) port.send(failed(unread.call, new Error(unread.why)));
      return;
    }
    if (request.type === 'abort') running.get(request.call)?.abort();
    else void answer(request);
  });

  async function answer(request: Call): Promise<void> {
    const { call } = request;
    if (running.has(call)) return;
    const controller = new AbortController();
    const send = (reply: Reply): void => port.send(reply);
    try {
      if (running.size >= MOST_CALLS) throw new Error(`more than ${MOST_CALLS} calls at once`);
      running.set(call, controller);
      send(
        await perform(request, {
          signal: controller.signal,
          onProgress: (progress) => send({ type: 'progress', call, progress }),
        }),
      );
    } catch (error) {
      send(failed(call, error));
    } finally {
      running.delete(call);
    }
  }

  function sourceOf({ id, source: number }: { id: TraceId; source: number }): ModelSource<Uint8Array> {
    if (closed) throw new Error('the page is gone');
    const known = sources.get(number);
    if (known !== undefined) return known;
    if (host.models === undefined) throw new Error('this host leaves models to the page');
    if (sources.size >= MOST_SOURCES) throw new Error(`more than ${MOST_SOURCES} sources of models at once`);
    const source = host.models(id);
    sources.set(number, source);
    return source;
  }

  /** Sends the pieces of an answer but the last, which it gives. */
  function sendPieces({ call }: Call, bytes: Uint8Array): Uint8Array {
    let sent = 0;
    // Copies: a message port sends all of the memory that a piece is in.
    for (; bytes.length - sent > PIECE_BYTES; sent += PIECE_BYTES)
      port.send({ type: 'part', call, bytes: bytes.slice(sent, sent + PIECE_BYTES), of: bytes.length });
    return sent === 0 ? bytes : bytes.slice(sent);
  }

  /** Tells the client what is asked of the trace for a call. */
  function asking({ call }: Call, { signal }: OpenOptions): ModelCall {
    return { signal, onAsked: (statement, sql) => port.send({ type: 'asked', call, statement, sql }) };
  }

  async function perform(request: Call, options: OpenOptions): Promise<Reply> {
    const result = { type: 'result', call: request.call } as const;
    switch (request.type) {
      case 'open': {
        const { part, with: others, expected, columns } = request;
        const trace = await host.open(request.path, { ...options, part, with: others, expected, columns });
        if (closed || opened.has(trace.id)) await host.close(trace.id);
        else opened.add(trace.id);
        return { ...result, value: trace };
      }
      case 'restart':
        return { ...result, value: await host.restart(request.id, options) };
      case 'whole':
        return { ...result, value: await host.loadWhole(request.id, options) };
      case 'table': {
        const { id, table, batch, columns } = request;
        return { ...result, bytes: sendPieces(request, await host.readTable(id, table, batch, columns)) };
      }
      case 'model': {
        const { step, wanted } = request;
        const model = await sourceOf(request).load(step, wanted, asking(request, options));
        return model === null ? result : { ...result, bytes: sendPieces(request, model) };
      }
      case 'question': {
        const { view, question } = request;
        const answer = await sourceOf(request).ask(view, question, asking(request, options));
        return answer === null ? result : { ...result, bytes: sendPieces(request, answer) };
      }
      case 'endModels':
        sources.get(request.source)?.end();
        sources.delete(request.source);
        return result;
      case 'query':
        if (request.outline === true) {
          const bytes = await host.queryOutline(request.id, request.sql, options.signal);
          return { ...result, bytes: sendPieces(request, bytes) };
        }
        if (request.inParts === true) {
          const { call } = request;
          await host.queryInParts(request.id, request.sql, (bytes) => {
            // What nobody waits for any more would only fill memory.
            if (options.signal?.aborted !== true) port.send({ type: 'part', call, bytes });
          });
          return result;
        }
        return {
          ...result,
          bytes: sendPieces(request, await host.query(request.id, request.sql, options.signal)),
        };
      case 'symbols': {
        const { call, id, path } = request;
        const report = await host.loadSymbols(id, path, {
          ...(options.signal && { signal: options.signal }),
          onProgress: (progress) => port.send({ type: 'symbol_progress', call, progress }),
        });
        return { ...result, value: report };
      }
      case 'symbol_defaults':
        return { ...result, value: await host.symbolDefaults() };
      case 'close':
        if (opened.delete(request.id)) await host.close(request.id);
        return result;
      case 'export': {
        const { id, request: wanted, output } = request;
        return { ...result, value: await host.export(id, wanted, output, options) };
      }
      case 'fetch':
        return { ...result, value: await host.fetch(request.from, request.wanted, options) };
      case 'send': {
        const { id, gift, to } = request;
        return { ...result, value: await host.send(id, gift, to, options) };
      }
      case 'bundle': {
        const { id, gift, place, output } = request;
        await host.bundle(id, gift, place, output, options);
        return result;
      }
      case 'lake': {
        const { server, asked } = request;
        const { signal } = options;
        const value = await (asked === null
          ? lakesOf(host).about(server, signal)
          : lakesOf(host).ask(server, asked, signal));
        return { ...result, value };
      }
      case 'placeOf':
        return { ...result, value: await lakesOf(host).placeOf(request.id) };
      case 'links':
        return { ...result, value: await host.links() };
      case 'keepLink':
        await host.keepLink(request.link);
        return result;
      case 'userFiles':
        return {
          ...result,
          value: await host.userFiles.list(request.id, request.since, options.signal),
        };
      case 'saveUserFile':
        await host.userFiles.save(request.name, request.text);
        return result;
      case 'confirm':
        await host.userFiles.confirm(request.text);
        return result;
      case 'isConfirmed':
        return { ...result, value: await host.userFiles.isConfirmed(request.text) };
      case 'kept':
        return { ...result, value: await host.userFiles.kept(request.name) };
      case 'keep':
        await host.userFiles.keep(request.name, request.text);
        return result;
      case 'recent':
        return { ...result, value: await host.recent() };
    }
  }
}

function failed(call: number, error: unknown): Reply {
  return { type: 'failure', call, error: writeFailure(error) };
}

function lakesOf({ lakes }: Host): RemoteLakes {
  if (lakes === undefined) throw new Error('this host asks no lakes of other servers');
  return lakes;
}
