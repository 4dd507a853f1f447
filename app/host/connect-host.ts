import { connect, type CallOptions, type Port } from '../../shared/border/index.ts';
import { OpenError } from './api.ts';
import type { Host } from './api.ts';
import { ERROR_FORMS } from './error-forms.ts';
import { HOST_CHECKS, type HostCalls } from './protocol.ts';

/** The host at the other end of `port`, where `serveHost` answers. When the port closes, pending calls reject. */
export function connectHost(port: Port): Host {
  const host = connect<HostCalls>(port, {
    checks: HOST_CHECKS,
    errors: ERROR_FORMS,
    gone: () => new OpenError('disconnected', 'the connection to Outrank is lost'),
    unreadable: () => new OpenError('disconnected', 'the answer of Outrank cannot be read'),
  });
  let sources = 0;

  return {
    open: (path, { part, with: others, expected, columns, ...options }) =>
      host.call('open', { path, part, with: others, expected, columns }, noting(options)),
    restart: (id, options) => host.call('restart', { id }, noting(options)),
    loadWhole: (id, options) => host.call('loadWhole', { id }, noting(options)),
    readTable: (id, table, batch, columns, within) =>
      host.call('readTable', { id, table, batch, columns, ...(within && { within }) }),
    models(id) {
      const source = sources++;
      return {
        load: (step, wanted, options) =>
          host.call('loadModel', { id, source, step, wanted }, { signal: options.signal }),
        ask: (view, question, options) =>
          host.call('askModel', { id, source, view, question }, { signal: options.signal }),
        end: () => host.tell('endModels', { source }),
      };
    },
    queryOutline: (id, sql, signal) => host.call('queryOutline', { id, sql }, { signal }),
    query: (id, sql, signal) => host.call('query', { id, sql }, { signal }),
    queryInParts: (id, sql, onNote) => host.call('queryInParts', { id, sql }, { onNote }),
    loadSymbols: (id, path, options) => host.call('loadSymbols', { id, path }, noting(options)),
    symbolDefaults: () => host.call('symbolDefaults', undefined),
    close: (id) => host.call('close', { id }),
    export: (id, request, output, options) => host.call('export', { id, request, output }, noting(options)),
    fetch: (from, wanted, options) => host.call('fetch', { from, wanted }, noting(options)),
    send: (id, gift, to, options) => host.call('send', { id, gift, to }, noting(options)),
    bundle: (id, gift, place, output, options) =>
      host.call('bundle', { id, gift, place, output }, noting(options)),
    links: () => host.call('links', undefined),
    keepLink: (link) => host.call('keepLink', link),
    userFiles: {
      list: (id, since, signal) => host.call('listUserFiles', { id, since }, { signal }),
      save: (name, text) => host.call('saveUserFile', { name, text }),
      confirm: (text) => host.call('confirm', { text }),
      isConfirmed: (text) => host.call('isConfirmed', { text }),
      kept: (name) => host.call('kept', { name }),
      keep: (name, text) => host.call('keep', { name, text }),
    },
    lakes: {
      about: (server, signal) => host.call('aboutLake', { server }, { signal }),
      ask: (server, asked, signal) => host.call('askLake', { server, asked }, { signal }),
      placeOf: (id) => host.call('placeOf', { id }),
    },
    recent: () => host.call('recent', undefined),
  };
}

/** Progress of a call as its notes. */
function noting<P>(options: {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: P) => void;
}): CallOptions<P> {
  return { signal: options.signal, onNote: options.onProgress };
}
