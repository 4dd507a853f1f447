import type { ModelSource } from './model-source/index.ts';
import type { Host, RemoteLakes, TraceId } from './api.ts';
import { serve, type Asked, type Handlers, type Port } from '../../shared/border/index.ts';
import { ERROR_FORMS } from './error-forms.ts';
import { HOST_CHECKS, type HostCalls } from './protocol.ts';

/** More calls than this at once from one client are refused: no honest one comes near. */
const MOST_CALLS = 1000;

/** A page shows one trace, and makes first pictures aside: more sources at once are refused. */
const MOST_SOURCES = 100;

/** A longer answer goes as several messages: a page takes each in a task of its own, and answers its user in between. */
const PIECE_BYTES = 1 << 20;

/** How {@link serveHost} deals with a client that leaves. */
export interface ServeOptions {
  /** How long its traces stay open after the port closed, so that a reloaded page need not load them again; in ms. */
  readonly lingerMs?: number;
}

/** Answers the calls that come over `port`. When it closes, running calls are aborted and its traces closed. */
export function serveHost(host: Host, port: Port, { lingerMs = 0 }: ServeOptions = {}): void {
  /** A client that opens a trace again holds it once. */
  const opened = new Set<TraceId>();
  /** Sources of models, by the client's numbers. */
  const sources = new Map<number, ModelSource<Uint8Array>>();
  let closed = false;

  port.onClose(() => {
    closed = true;
    for (const source of sources.values()) source.end();
    sources.clear();
    const timer = setTimeout(() => {
      for (const id of opened) void host.close(id).catch(() => undefined);
    }, lingerMs);
    if (lingerMs > 0) (timer as { unref?: () => void }).unref?.();
  });

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

  const handlers: Handlers<HostCalls> = {
    async open({ path, ...given }, asked) {
      const trace = await host.open(path, { ...given, ...telling(asked) });
      if (closed || opened.has(trace.id)) await host.close(trace.id);
      else opened.add(trace.id);
      return trace;
    },
    restart: ({ id }, asked) => host.restart(id, telling(asked)),
    loadWhole: ({ id }, asked) => host.loadWhole(id, telling(asked)),
    async close({ id }) {
      if (opened.delete(id)) await host.close(id);
    },
    readTable: ({ id, table, batch, columns, within }) => host.readTable(id, table, batch, columns, within),
    query: ({ id, sql }, { signal }) => host.query(id, sql, signal),
    queryOutline: ({ id, sql }, { signal }) => host.queryOutline(id, sql, signal),
    queryInParts: ({ id, sql }, { note }) => host.queryInParts(id, sql, note),
    loadModel: ({ step, wanted, ...of }, { signal }) => sourceOf(of).load(step, wanted, { signal }),
    askModel: ({ view, question, ...of }, { signal }) => sourceOf(of).ask(view, question, { signal }),
    endModels({ source }) {
      sources.get(source)?.end();
      sources.delete(source);
    },
    export: ({ id, request, output }, asked) => host.export(id, request, output, telling(asked)),
    fetch: ({ from, wanted }, asked) => host.fetch(from, wanted, telling(asked)),
    send: ({ id, gift, to }, asked) => host.send(id, gift, to, telling(asked)),
    bundle: ({ id, gift, place, output }, asked) => host.bundle(id, gift, place, output, telling(asked)),
    loadSymbols: ({ id, path }, asked) => host.loadSymbols(id, path, telling(asked)),
    symbolDefaults: () => host.symbolDefaults(),
    recent: () => host.recent(),
    links: () => host.links(),
    keepLink: (link) => host.keepLink(link),
    listUserFiles: ({ id, since }, { signal }) => host.userFiles.list(id, since, signal),
    saveUserFile: ({ name, text }) => host.userFiles.save(name, text),
    confirm: ({ text }) => host.userFiles.confirm(text),
    isConfirmed: ({ text }) => host.userFiles.isConfirmed(text),
    kept: ({ name }) => host.userFiles.kept(name),
    keep: ({ name, text }) => host.userFiles.keep(name, text),
    aboutLake: ({ server }, { signal }) => lakesOf(host).about(server, signal),
    askLake: ({ server, asked }, { signal }) => lakesOf(host).ask(server, asked, signal),
    placeOf: ({ id }) => lakesOf(host).placeOf(id),
  };
  serve<HostCalls>(port, handlers, {
    checks: HOST_CHECKS,
    errors: ERROR_FORMS,
    pieceBytes: PIECE_BYTES,
    callsMax: MOST_CALLS,
  });
}

/** Notes of a call as its progress. */
function telling<P>({ signal, note }: Asked<P>) {
  return { signal, onProgress: note };
}

function lakesOf({ lakes }: Host): RemoteLakes {
  if (lakes === undefined) throw new Error('this host asks no lakes of other servers');
  return lakes;
}
