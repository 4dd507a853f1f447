import { OpenError } from './api.ts';
import type { Host, OpenOptions, OpenTrace, SymbolCall } from './api.ts';
import { readLakeAnswer, readServedLake } from '../../shared/lake/index.ts';
import type { ModelCall } from '../models/source.ts';
import { readReport } from './export-request.ts';
import type { Port } from '../../shared/border/index.ts';
import {
  readFailure,
  readKeptLinks,
  readOpenTrace,
  readRecentTraces,
  readReply,
  readSentTrace,
  readSymbolDefaults,
  readSymbolReport,
  readUserFileList,
} from './protocol.ts';
import type { Request } from './protocol.ts';

interface Result {
  readonly value?: unknown;
  readonly bytes?: Uint8Array | undefined;
}
/** A request without its number, each kind by itself. */
type Call = Request extends infer R ? (R extends { call: number } ? Omit<R, 'call'> : never) : never;

/** What a call tells on its way, and what ends it. */
interface CallOptions extends Pick<OpenOptions, 'onProgress'>, ModelCall {}

interface Pending {
  readonly onProgress: OpenOptions['onProgress'];
  readonly onPart: ((bytes: Uint8Array, of: number | undefined) => void) | undefined;
  readonly onSymbols: SymbolCall['onProgress'];
  readonly onAsked: ModelCall['onAsked'];
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** The host at the other end of `port`, where `serveHost` answers. When the port closes, pending calls reject. */
export function connectHost(port: Port): Host {
  const pending = new Map<number, Pending>();
  let calls = 0;
  let sources = 0;
  let closed = false;
  const gone = (): OpenError => new OpenError('disconnected', 'the connection to Outrank is lost');

  port.onClose(() => {
    closed = true;
    for (const { reject } of pending.values()) reject(gone());
    pending.clear();
  });
  port.onMessage((message) => {
    const reply = readReply(message);
    const call = reply && pending.get(reply.call);
    if (!call) return;
    if (reply.type === 'progress') {
      call.onProgress?.(reply.progress);
      return;
    }
    if (reply.type === 'symbol_progress') {
      call.onSymbols?.(reply.progress);
      return;
    }
    if (reply.type === 'asked') {
      call.onAsked?.(reply.statement, reply.sql);
      return;
    }
    if (reply.type === 'part') {
      try {
        call.onPart?.(reply.bytes, reply.of);
      } catch (error) {
        pending.delete(reply.call);
        call.reject(error);
      }
      return;
    }
    pending.delete(reply.call);
    if (reply.type === 'result') call.resolve(reply);
    else call.reject(readFailure(reply.error));
  });

  async function ask(
    request: Call,
    options: CallOptions = {},
    onPart?: Pending['onPart'],
    onSymbols?: SymbolCall['onProgress'],
  ): Promise<Result> {
    options.signal?.throwIfAborted();
    if (closed) throw gone();
    const call = calls++;
    const abort = (): void => port.send({ type: 'abort', call });
    options.signal?.addEventListener('abort', abort);
    try {
      return await new Promise<Result>((resolve, reject) => {
        const { onProgress, onAsked } = options;
        pending.set(call, { onProgress, onPart, onSymbols, onAsked, resolve, reject });
        port.send({ ...request, call });
      });
    } finally {
      options.signal?.removeEventListener('abort', abort);
    }
  }

  async function askTrace(request: Call, options: OpenOptions): Promise<OpenTrace> {
    return readable(readOpenTrace((await ask(request, options)).value));
  }

  /** The bytes that answer a call, put together of their pieces. */
  async function askBytes(call: Call, options: ModelCall = {}): Promise<Uint8Array> {
    const whole: { bytes: Uint8Array | null; filled: number } = { bytes: null, filled: 0 };
    const onPart = (part: Uint8Array, of = 0): void => {
      whole.bytes ??= new Uint8Array(of);
      if (whole.filled + part.length > whole.bytes.length) throw unreadable();
      whole.bytes.set(part, whole.filled);
      whole.filled += part.length;
    };
    const { bytes: last = new Uint8Array() } = await ask(call, options, onPart);
    if (whole.bytes === null) return last;
    onPart(last);
    return whole.bytes;
  }

  /** A model that comes packed; null where there is none. */
  async function askModel(call: Call, options: ModelCall): Promise<Uint8Array | null> {
    const bytes = await askBytes(call, options);
    return bytes.length === 0 ? null : bytes;
  }

  return {
    open: (path, options) => {
      const { part, with: others, expected, columns } = options;
      const given = {
        ...(part && { part }),
        ...(others && { with: others }),
        ...(expected && { expected }),
        ...(columns && { columns }),
      };
      return askTrace({ type: 'open', path, ...given }, options);
    },
    restart: (id, options) => askTrace({ type: 'restart', id }, options),
    loadWhole: (id, options) => askTrace({ type: 'whole', id }, options),
    readTable: (id, table, batch, columns) =>
      askBytes({ type: 'table', id, table, batch, columns: [...columns] }),
    models(id) {
      const source = sources++;
      return {
        load: (step, wanted, options) => askModel({ type: 'model', id, source, step, wanted }, options),
        ask: (view, question, options) => askModel({ type: 'question', id, source, view, question }, options),
        end: () => void ask({ type: 'endModels', id, source }).catch(() => undefined),
      };
    },
    queryOutline: (id, sql, signal) => askBytes({ type: 'query', id, sql, outline: true }, { signal }),
    query: (id, sql, signal) => askBytes({ type: 'query', id, sql }, { signal }),
    queryInParts: async (id, sql, onPart) => {
      await ask({ type: 'query', id, sql, inParts: true }, {}, onPart);
    },
    async loadSymbols(id, path, { signal, onProgress }) {
      const call = { type: 'symbols', id, path } as const;
      const { value } = await ask(call, { ...(signal && { signal }) }, undefined, onProgress);
      return readable(readSymbolReport(value));
    },
    symbolDefaults: async () => readable(readSymbolDefaults((await ask({ type: 'symbol_defaults' })).value)),
    close: async (id) => {
      await ask({ type: 'close', id });
    },
    export: async (id, request, output, options) =>
      readable(readReport((await ask({ type: 'export', id, request, output }, options)).value)),
    fetch: async (from, wanted, options) => {
      const { value } = await ask({ type: 'fetch', from, wanted }, options);
      return readable(typeof value === 'string' ? value : null);
    },
    send: async (id, gift, to, options) =>
      readable(readSentTrace((await ask({ type: 'send', id, gift, to }, options)).value)),
    bundle: async (id, gift, place, output, options) => {
      await ask({ type: 'bundle', id, gift, place, output }, options);
    },
    links: async () => readable(readKeptLinks((await ask({ type: 'links' })).value)),
    keepLink: async (link) => {
      await ask({ type: 'keepLink', link });
    },
    userFiles: {
      list: async (id, since, signal) => {
        const options = signal === undefined ? {} : { signal };
        return readable(readUserFileList((await ask({ type: 'userFiles', id, since }, options)).value));
      },
      save: async (name, text) => {
        await ask({ type: 'saveUserFile', name, text });
      },
      confirm: async (text) => {
        await ask({ type: 'confirm', text });
      },
      isConfirmed: async (text) => (await ask({ type: 'isConfirmed', text })).value === true,
      kept: async (name) => {
        const { value } = await ask({ type: 'kept', name });
        return typeof value === 'string' ? value : null;
      },
      keep: async (name, text) => {
        await ask({ type: 'keep', name, text });
      },
    },
    lakes: {
      about: async (server, signal) =>
        readable(readServedLake((await ask({ type: 'lake', server, asked: null }, { signal })).value)),
      ask: async (server, asked, signal) =>
        readable(readLakeAnswer((await ask({ type: 'lake', server, asked }, { signal })).value)),
      placeOf: async (id) => {
        const { value } = await ask({ type: 'placeOf', id });
        return typeof value === 'string' ? value : null;
      },
    },
    recent: async () => readable(readRecentTraces((await ask({ type: 'recent' })).value)),
  };
}

function readable<T>(value: T | null): T {
  if (value === null) throw unreadable();
  return value;
}

function unreadable(): OpenError {
  return new OpenError('disconnected', 'the answer of Outrank cannot be read');
}
