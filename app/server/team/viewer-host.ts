import { OpenError } from '../../host/api.ts';
import type { Host, OpenTrace, TraceId, UserFileList, UserFiles } from '../../host/api.ts';
import { WHOLE } from '../../host/part.ts';
import type { TraceRecord } from '../store/trace-store.ts';
import type { OpenTraces } from './open-traces.ts';
import type { SharedTrace } from './shared-trace.ts';

/** What the page of a stored trace opens: the path says the trace's name to the user, and nothing of this server. */
export const pathOf = ({ id, name }: TraceRecord): string => `/t/${id}/${name}`;

/** A server keeps nothing for single users: what a page would keep from session to session is gone with it. */
const NONE: UserFileList = { stamp: 'none', files: [], rules: { files: [], refused: [] } };
const NO_FILES: UserFiles = {
  list: (_trace, since, signal) => (since === null ? Promise.resolve(NONE) : untilAborted(signal)),
  save: (name) => Promise.reject(new OpenError('refused', `${name}: a team server keeps traces alone`)),
  confirm: () => Promise.resolve(),
  isConfirmed: () => Promise.resolve(false),
  kept: () => Promise.resolve(null),
  keep: () => Promise.resolve(),
};

/** Files that there are none of never change. */
function untilAborted(signal: AbortSignal | undefined): Promise<UserFileList> {
  return new Promise((resolve) => {
    const none = (): void => resolve(NONE);
    if (signal?.aborted === true) none();
    signal?.addEventListener('abort', none, { once: true });
  });
}

const refuse = (message: string): Promise<never> => Promise.reject(new OpenError('refused', message));

/** All who look at a trace share its tables, and a symbol path would have this server read folders and ask others. */
const noSymbols = (): Promise<never> => refuse('a team server loads no symbols: download the trace for that');

/** The host of one connection: it opens one stored trace, or parts of it, and nothing else. */
export function viewerHost(record: TraceRecord, openTraces: OpenTraces): Host {
  const viewer = {};
  /** As often as it was opened, a trace is closed. */
  const opened = new Map<
    TraceId,
    { readonly shared: SharedTrace; readonly trace: OpenTrace; holders: number }
  >();

  function held(id: TraceId) {
    const found = opened.get(id);
    if (found === undefined) throw new OpenError('not_open', `no open trace has the id ${id}`);
    return found;
  }

  const find = (id: TraceId): SharedTrace => held(id).shared;

  return {
    async open(path, { part, with: others = [], onProgress, signal }) {
      if (path !== pathOf(record) || others.length > 0)
        throw new OpenError('refused', `${path}: this page shows ${record.name} alone`);
      const shared = openTraces.get(record, part ?? WHOLE);
      shared.viewers.add(viewer);
      try {
        const trace = await shared.open(onProgress, signal);
        const holders = (opened.get(trace.id)?.holders ?? 0) + 1;
        opened.set(trace.id, { shared, trace, holders });
        return trace;
      } catch (error) {
        if (![...opened.values()].some((each) => each.shared === shared)) shared.leave(viewer);
        throw error;
      }
    },
    loadWhole: (id) => Promise.resolve().then(() => held(id).trace),
    readTable: (_id, table) => refuse(`${record.name}: a team server gives the table ${table} by SQL alone`),
    queryOutline: async (id, sql, signal) => find(id).query(viewer, sql, signal),
    query: async (id, sql, signal) => find(id).query(viewer, sql, signal),
    queryInParts: async (id, sql, onPart) => find(id).queryInParts(viewer, sql, onPart),
    restart: async (id) => find(id).restart(viewer),
    loadSymbols: noSymbols,
    symbolDefaults: noSymbols,
    close(id) {
      const found = opened.get(id);
      if (found !== undefined && (found.holders -= 1) === 0) {
        opened.delete(id);
        found.shared.leave(viewer);
      }
      return Promise.resolve();
    },
    export: () => refuse(`${record.name}: stays here as it was uploaded: export it before an upload`),
    fetch: () => refuse('a team server fetches nothing'),
    send: () => refuse(`${record.name}: is on a server already`),
    bundle: () => refuse(`${record.name}: download it to make a bundle of it`),
    recent: () => Promise.resolve([]),
    links: () => Promise.resolve([]),
    keepLink: () => Promise.resolve(),
    userFiles: NO_FILES,
  };
}
