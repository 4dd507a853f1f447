import { batch } from '@preact/signals';
import { bindSql, GrowingResult, makeQuery, type Query } from '../../shared/engine/index.ts';
import { formatBytes } from '../../shared/model/index.ts';
import { traceQuery } from '../../shared/tables/index.ts';
import type { TraceSummary } from '../../shared/view/index.ts';
import { OpenError, TooLargeError } from '../host/api.ts';
import type { TraceOverview } from '../host/overview.ts';
import type {
  OpenOptions,
  OpenProgress,
  OpenTrace,
  RecentTrace,
  TeamServer,
  TraceId,
  TracePart,
} from '../host/api.ts';
import { views } from '../../views/index.ts';
import type { Door } from './door.ts';
import { askHost } from '../host/ask-host.ts';
import type { ModelSource, Wish } from '../host/model-source/index.ts';
import { askingBeside } from '../host/model-source/ask-beside.ts';
import { askForLake } from './lake-window/connected.ts';
import { placeIn } from './link/apply-state.ts';
import { tell } from './link/notices.tsx';
import { noteAddress, noteServer } from './link/servers.ts';
import { partRange } from './part-choice.ts';
import {
  isLink,
  isPacked,
  LinkError,
  NO_LINK,
  readFileAddress,
  readFrom,
  readLakeAddress,
  readLink,
  readState,
  START,
} from '../../shared/link/index.ts';
import type { LinkState, Place, ReadLink } from '../../shared/link/index.ts';
import { restoreLinked, showLinked } from './panels/linked.ts';
import { goHome, loaded, phase, place, reload, type LoadedTrace, type Phase } from './state.ts';
import { messageOf } from '../../shared/model/index.ts';

/** A file whose bytes the host has already, and what of it to open. */
interface UploadedFile {
  readonly uploaded: string | null;
  readonly part?: TracePart;
}

/** What of a recording to open, besides its first file; and the link that it is opened for. */
interface Wanted extends Pick<OpenOptions, 'part' | 'with'> {
  readonly link?: ReadLink;
}

type OpeningPhase = Extract<Phase, { kind: 'opening' }>;

/** Errors after which the user is asked for a link's trace once more: it may be had elsewhere, or with another token. */
const ASK_AGAIN: ReadonlySet<OpenError['kind']> = new Set(['other_trace', 'file', 'server', 'token']);

/** How something is opened. */
interface Opening {
  readonly name: string;
  readonly retry: () => Promise<void>;
  readonly open: (options: {
    signal: AbortSignal;
    onProgress: (progress: OpeningPhase['progress']) => void;
  }) => Promise<OpenTrace>;
  /** Opens a part of it, if it is too large. */
  readonly openPart?: (part: TracePart) => Promise<void>;
  /** The link that it is opened for. */
  readonly link?: ReadLink | undefined;
}

/** Opens, restarts and closes traces through the door. One trace is open at a time. */
export class Session {
  readonly door: Door;
  #abort: AbortController | null = null;
  /** The trace that the host holds for this page: it stays open on the start page, until another is. */
  #held: TraceId | null = null;
  /** Opens a part of the open trace; null where it has none. */
  #openPart: ((part: TracePart) => Promise<void>) | null = null;

  constructor(door: Door) {
    this.door = door;
    door.onOpenRequest?.((asked) => void this.#openAsked(asked));
  }

  /** Asks the open trace. */
  readonly query: Query = makeQuery((sql) => this.door.host.query(this.#openId(), sql));

  /** Asks the outline of the open trace: all but scheduling. */
  readonly outline: Query = makeQuery((sql) => this.door.host.queryOutline(this.#openId(), sql));

  /** Asks a trace that is open as models do: with its columns, where it has any. */
  traceQuery({ opened, hasSymbols = opened.hasSymbols }: LoadedTrace, signal?: AbortSignal): Query {
    const models = opened.makesModels === true ? this.door.host.models?.bind(null, opened.id) : undefined;
    const ask = (wish: Wish) => askHost(this.door.host, opened.id, wish, signal);
    return traceQuery(
      {
        sql: (of, sql) => ask({ kind: 'sql', sql, of }),
        readTable: (...which) => ask({ kind: 'table', which }),
        hasSymbols,
        askBeside: models === undefined ? undefined : askingBeside(models, signal),
      },
      opened.tables,
    );
  }

  /** Asks the open trace and gives the answer's own bytes. Stops when the caller no longer waits. */
  async askWhile(wish: Wish, signal: AbortSignal | undefined): Promise<Uint8Array> {
    return askHost(this.door.host, this.#openId(), wish, signal);
  }

  /** What makes models of a trace where its files are; null where the page makes them. */
  modelsOf({ id, makesModels }: OpenTrace): ModelSource<Uint8Array> | null {
    return makesModels === true ? (this.door.host.models?.(id) ?? null) : null;
  }

  /** Loads all of the open trace into the engine, if only its outline was. */
  async loadWhole(onProgress: (progress: OpenProgress) => void): Promise<void> {
    await this.door.host.loadWhole(this.#openId(), { onProgress });
  }

  /** Offers the open trace in parts, if it has any. */
  choosePart(overview: TraceOverview): void {
    const trace = loaded.peek();
    if (trace !== null && this.#openPart !== null) offerParts(trace.opened.name, overview, this.#openPart);
  }

  /** A trace that was opened before; undefined where it is not known any more. */
  async #known(id: TraceId | null): Promise<RecentTrace | undefined> {
    return (await this.door.host.recent()).find((each) => each.id === id);
  }

  #openId(): TraceId {
    const trace = loaded.peek();
    if (trace === null) throw new Error('no trace is open');
    return trace.opened.id;
  }

  /** Opens what was asked for when the page was opened, or the trace that the address names, if it was open before. */
  async start(): Promise<void> {
    const { path, ...wanted } = this.door.initial;
    const fragment = location.hash;
    if (isPacked(fragment) || readFrom(fragment) !== null)
      return this.openLink(fragment, path === null ? undefined : { path, ...wanted });
    if (path !== null) return this.#openAsked(path, wanted);
    await this.comeBack(place.peek());
  }

  /** Goes to a place that was shown before, if its trace is still known. */
  async comeBack(before: Place): Promise<void> {
    const known = await this.#known(before.trace);
    if (known === undefined) return;
    place.value = before;
    await this.open(known.path, known);
  }

  /**
   * Goes where a link leads: in the trace that is open, in one opened before, in the one that this page was opened for,
   * or in a file that the user is asked for. The link may be a stranger's: nothing of it runs.
   */
  async openLink(text: string, asked?: { readonly path: string } & Wanted): Promise<void> {
    const link = await readLink(text).catch((error: unknown) => {
      if (!(error instanceof LinkError)) throw error;
      tell('The link cannot be opened', [error.message]);
      return null;
    });
    if (link === null) return asked && this.open(asked.path, asked);
    const { trace, from } = link.state;
    if (trace === null && from !== undefined) {
      this.#want(link, null);
      return;
    }
    if (trace === null) {
      tell('The link cannot be opened', [...link.notes, 'it names no trace']);
      return asked && this.open(asked.path, asked);
    }
    await this.keepLink(text, link.state);
    if (loaded.peek()?.opened.id === trace.id) {
      this.#follow(link);
      return;
    }
    const known = await this.#known(trace.id);
    if (known !== undefined) return this.open(known.path, { ...known, link });
    if (asked !== undefined) return this.open(asked.path, { ...asked, link });
    this.#want(link, null);
  }

  /** Opens the files that were chosen for a link, if they are the trace that it is of. */
  openFor(link: ReadLink, files: readonly File[]): Promise<void> {
    const { trace } = link.state;
    const inOrder = trace?.files?.flatMap((name) => files.filter((file) => file.name === name)) ?? [];
    const all = inOrder.length === files.length ? inOrder : files;
    if (all.length === 0) return Promise.resolve();
    const name = all.map((file) => file.name).join(' + ');
    const open = async (options: OpenOptions): Promise<OpenTrace> => {
      const paths: string[] = [];
      for (const file of all) paths.push(await this.#pathOf(file, options.signal));
      const [path = '', ...others] = paths;
      const several = others.length > 0 ? { with: others } : {};
      return this.#openPath(path, name, { ...options, ...several, part: trace?.part, expected: trace?.id });
    };
    return this.#run({ name, retry: () => this.openFor(link, files), open, link });
  }

  /** Fetches the trace of a link from a server that the user agreed to ask, and opens it. */
  fetchFor(link: ReadLink, from: TeamServer): Promise<void> {
    const { trace } = link.state;
    if (trace === null) return Promise.resolve();
    const { id, sizeBytes } = trace;
    const name = trace.name === '' ? 'a trace' : trace.name;
    const open = async (options: OpenOptions): Promise<OpenTrace> => {
      const path = await this.door.host.fetch(from, { id, sizeBytes }, options);
      noteServer(id, from.origin);
      return this.#openPath(path, name, { ...options, expected: id });
    };
    return this.#run({ name, retry: () => this.fetchFor(link, from), open, link });
  }

  /** Fetches the trace of a link from the address that the link says and the user agreed to ask, and opens it. */
  fetchFile(link: ReadLink): Promise<void> {
    const { trace, from } = link.state;
    if (from === undefined) return Promise.resolve();
    const name = fileNameOf(link.state);
    const open = async (options: OpenOptions): Promise<OpenTrace> => {
      if (this.door.fetchFile === undefined) throw new Error('this page fetches no files');
      const wanted = { address: from, name, sizeBytes: trace?.sizeBytes ?? null };
      const path = await this.door.fetchFile(wanted, options);
      const opened = await this.#openPath(path, name, { ...options, part: trace?.part, expected: trace?.id });
      noteAddress(opened.id, from);
      return opened;
    };
    return this.#run({ name, retry: () => this.fetchFile(link), open, link });
  }

  /** Keeps a link among the recent ones, under its name or that of its view or dashboard. */
  async keepLink(text: string, { title, trace, place: { view }, dashboard }: LinkState): Promise<void> {
    const shown = dashboard?.title ?? views.find(({ id }) => id === view)?.title ?? '';
    const called = title === '' ? shown : title;
    const kept = { link: text.trim(), title: called, name: trace?.name ?? '', usedAtMs: Date.now() };
    // A list that cannot be written is no reason to stop.
    await this.door.host.keepLink(kept).catch(() => undefined);
  }

  /**
   * Goes to the place of an example of a lake. Its trace was opened or added on this machine, or is on the server that answers for the
   * lake; else the user is asked for the file.
   */
  async openExample(text: string, server: TeamServer | null): Promise<void> {
    const read = await readLink(text).catch((error: unknown) => {
      tell('The trace cannot be opened', [messageOf(error)]);
      return null;
    });
    const trace = read?.state.trace;
    if (read === null || trace === null || trace === undefined) return;
    const at = server === null ? {} : { server: server.origin };
    const link = { ...read, state: { ...read.state, trace: { ...trace, ...at } } };
    const known = await this.#known(trace.id);
    if (known !== undefined) return this.open(known.path, { ...known, link });
    const path = (await this.door.lakes?.placeOf(trace.id)) ?? null;
    if (path !== null) return this.open(path, { link });
    if (server !== null) return this.fetchFor(link, server);
    this.#want(link, null);
  }

  /** Opens what was asked for from outside the page: a path, a link, or the address of a lake. */
  async #openAsked(asked: string, wanted: Wanted = {}): Promise<void> {
    if (this.door.lakes !== undefined && readLakeAddress(asked) !== null) {
      askForLake(asked);
      return;
    }
    return isLink(asked) ? this.openLink(asked) : this.open(asked, wanted);
  }

  #want(link: ReadLink, message: string | null): void {
    const { trace } = link.state;
    const name = trace?.name === '' ? 'a trace' : (trace?.name ?? 'a trace');
    phase.value = { kind: 'wanted', name, link, message };
  }

  /** Goes where a link leads in the open trace, and says what of it does not fit. */
  #follow(link: ReadLink): void {
    const trace = loaded.peek();
    if (trace === null) return;
    const { place: there, notes } = placeIn(link, trace.summary.range);
    const pages = showLinked(this, trace.opened.id, link.state);
    const view = pages.get(there.view ?? '') ?? there.view;
    place.value = { ...there, view, trace: trace.opened.id };
    if (notes.length > 0) tell('Not all of the link can be shown', notes);
  }

  /** Opens the trace at a path, with other files of its recording, or a part of it. */
  open(path: string, { part, with: others, link }: Wanted = {}): Promise<void> {
    const names = [path, ...(others ?? [])].map((each) => each.split(/[\\/]/).at(-1) ?? each);
    const expected = link?.state.trace?.id;
    return this.#run({
      name: names.join(' + '),
      retry: () => this.open(path, { part, with: others, ...(link && { link }) }),
      open: (options) =>
        this.door.host.open(path, { ...options, columns: true, part, with: others, expected }),
      openPart: (chosen) => this.open(path, { part: chosen, with: others }),
      link,
    });
  }

  /** Opens a file that was dropped or chosen in the page: by its path, or by giving its bytes to the host. */
  openFile(file: File, again: UploadedFile = { uploaded: null }): Promise<void> {
    const path = this.door.pathOfFile?.(file) ?? null;
    if (path !== null) return this.open(path);
    const { part } = again;
    let { uploaded } = again;
    return this.#run({
      name: file.name,
      retry: () => this.openFile(file, again),
      open: async (options) => {
        uploaded ??= await this.#pathOf(file, options.signal);
        return this.#openPath(uploaded, file.name, { ...options, part });
      },
      openPart: (chosen) => this.openFile(file, { uploaded, part: chosen }),
    });
  }

  /**
   * Opens a second trace while the first one stays open: a file that was chosen, or one that was opened before. The caller closes
   * the second trace with `door.host.close`.
   */
  async openBeside(what: File | RecentTrace, options: OpenOptions): Promise<LoadedTrace> {
    const open = async (): Promise<OpenTrace> => {
      if (!(what instanceof File)) {
        const { path, part, with: others } = what;
        return this.door.host.open(path, { ...options, columns: true, part, with: others });
      }
      const report = (fraction: number) => options.onProgress?.({ stage: 'upload', fraction });
      return this.#openPath(await this.#pathOf(what, options.signal, report), what.name, options);
    };
    const opened = await open();
    try {
      return { opened, summary: summaryOf(opened) };
    } catch (error) {
      await this.door.host.close(opened.id);
      throw error;
    }
  }

  /** The path of a file that was dropped or chosen, for the host; where paths are hidden its bytes are sent. */
  async #pathOf(
    file: File,
    signal: AbortSignal = new AbortController().signal,
    onSent = (fraction: number) => this.#report({ stage: 'upload', fraction }),
  ): Promise<string> {
    const path = this.door.pathOfFile?.(file) ?? null;
    if (path !== null) return path;
    if (this.door.upload === undefined)
      throw new Error('this page opens no other file: Outrank on your own machine does');
    return this.door.upload(file, onSent, signal);
  }

  /** Asks the open trace for what can be many rows; they come in parts. */
  async queryInParts(sql: string, onPart: (bytes: Uint8Array) => void): Promise<void> {
    await this.door.host.queryInParts(this.#openId(), sql, onPart);
  }

  /** Asks the open trace for rows whose texts and blobs take `maxBytes` at most; rejects if they take more. */
  queryWithin(maxBytes: number): Query {
    return async (sql, bindings) => {
      const result = new GrowingResult(Infinity, maxBytes);
      await this.queryInParts(bindSql(sql, bindings ?? {}), (bytes) => result.push(bytes));
      if (result.leftOut === null) return result;
      const most = formatBytes(maxBytes);
      throw new Error(
        `Its rows take more than ${most} of text: ask for fewer, for fewer columns, or substr() of them.`,
      );
    };
  }

  /** Ends whatever the engine does, and loads the trace again; what is shown stays. */
  async restart(): Promise<void> {
    const trace = loaded.peek();
    if (trace === null || reload.peek() !== null) return;
    const { id, name } = trace.opened;
    const isShown = () => loaded.peek() === trace;
    reload.value = { stage: 'load', fraction: null };
    try {
      const opened = await this.door.host.restart(id, {
        onProgress: (progress) => (reload.value = progress),
      });
      if (isShown()) phase.value = { kind: 'loaded', trace: { opened, summary: trace.summary } };
    } catch (error) {
      const message = messageOf(error);
      const retry = () => void this.start();
      if (isShown()) phase.value = { kind: 'failed', name, message, retry };
    } finally {
      reload.value = null;
    }
  }

  /** A part of a recording is open: opens all of the recording, or another part that the user chooses. */
  async openOtherPart(): Promise<void> {
    const known = await this.#known(loaded.peek()?.opened.id ?? null);
    if (known !== undefined) await this.open(known.path, { with: known.with });
  }

  /** Lets the user choose a trace in the system's dialog. False where there is no such dialog. */
  async chooseFile(): Promise<boolean> {
    if (this.door.openDialog === undefined) return false;
    const path = await this.door.openDialog();
    if (path !== null) await this.open(path);
    return true;
  }

  async #run({ name, retry, open, openPart, link }: Opening): Promise<void> {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    const startedAtMs = Date.now();
    const cancel = () => {
      abort.abort();
      goHome();
    };
    phase.value = { kind: 'opening', name, progress: null, startedAtMs, cancel };
    try {
      const opened = await open({ signal: abort.signal, onProgress: (progress) => this.#report(progress) });
      if (abort.signal.aborted) return;
      const held = this.#held;
      this.#held = opened.id;
      this.#openPart = openPart ?? null;
      if (held !== null && held !== opened.id) void this.door.host.close(held);
      const summary = summaryOf(opened);
      // One change, and so one step of the history.
      batch(() => {
        const isNew = place.peek().trace !== opened.id;
        if (isNew) {
          showLinked(this, opened.id, NO_LINK);
          const fresh = place.peek().trace === null ? place.peek() : START;
          const covered = opened.part && partRange(opened.part, summary.range);
          place.value = { ...fresh, trace: opened.id, range: fresh.range ?? covered ?? null };
        } else restoreLinked(this, opened.id);
        phase.value = { kind: 'loaded', trace: { opened, summary } };
        // Back at a place in a bundle, its own place is not wanted again.
        if (link !== undefined) this.#follow(link);
        else if (isNew && opened.state !== undefined) this.#follow(readState(opened.state));
      });
      document.title = `${opened.name} – Outrank`;
    } catch (error) {
      if (abort.signal.aborted) return;
      if (link !== undefined && error instanceof OpenError && ASK_AGAIN.has(error.kind)) {
        this.#want(link, error.message);
        return;
      }
      if (error instanceof TooLargeError && openPart !== undefined) {
        offerParts(name, error.overview, openPart);
        return;
      }
      const message = messageOf(error);
      const reason = error instanceof OpenError ? { reason: error.kind } : {};
      phase.value = { kind: 'failed', name, message, ...reason, retry: () => void retry() };
    }
  }

  /** Opens a path. Errors name the file without its folders, which a copied message should not give away. */
  async #openPath(path: string, name: string, options: OpenOptions): Promise<OpenTrace> {
    try {
      const opened = await this.door.host.open(path, { ...options, columns: true });
      return { ...opened, warnings: opened.warnings.map((each) => each.replaceAll(path, name)) };
    } catch (error) {
      if (error instanceof Error) error.message = error.message.replaceAll(path, name);
      throw error;
    }
  }

  #report(progress: OpeningPhase['progress']): void {
    const now = phase.peek();
    if (now.kind === 'opening') phase.value = { ...now, progress };
  }
}

function summaryOf({ name, summary }: OpenTrace): TraceSummary {
  if (summary !== null) return summary;
  throw new Error(`${name} holds no Windows trace: Outrank opens .etl files and what it converted from them`);
}

/** What the file of a link is called: as the link says, else as its address ends. */
function fileNameOf({ trace, from = '' }: LinkState): string {
  if (trace !== null && trace.name !== '') return trace.name;
  const last = readFileAddress(from)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function offerParts(
  name: string,
  overview: TraceOverview,
  openPart: (part: TracePart) => Promise<void>,
): void {
  phase.value = { kind: 'too_large', name, overview, openPart: (part) => void openPart(part) };
}
