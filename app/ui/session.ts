import { makeQuery, type Query } from '../../shared/engine/index.ts';
import { TooLargeError } from '../host/api.ts';
import type { OpenOptions, OpenTrace, TracePart } from '../host/api.ts';
import { summariseTrace } from '../host/trace-summary.ts';
import type { Door } from './door.ts';
import { START } from '../../shared/link/index.ts';
import { goHome, loaded, phase, place, reload, type Phase } from './state.ts';

/** A file whose bytes the host has already, and what of it to open. */
interface UploadedFile {
  readonly uploaded: string | null;
  readonly part?: TracePart;
}

/** What of a recording to open, besides its first file. */
type Wanted = Pick<OpenOptions, 'part' | 'with'>;

type OpeningPhase = Extract<Phase, { kind: 'opening' }>;

/** Opens, restarts and closes traces through the door. One trace is open at a time. */
export class Session {
  readonly door: Door;
  #abort: AbortController | null = null;

  constructor(door: Door) {
    this.door = door;
    door.onOpenRequest?.((path) => void this.open(path));
  }

  /** Asks the open trace. */
  readonly query: Query = makeQuery((sql) => {
    const trace = loaded.peek();
    if (trace === null) throw new Error('no trace is open');
    return this.door.host.query(trace.opened.id, sql);
  });

  /** Opens what was asked for when the page was opened, or the trace that the address names, if it was open before. */
  async start(): Promise<void> {
    const { path, ...wanted } = this.door.initial;
    if (path !== null) return this.open(path, wanted);
    const id = place.peek().trace;
    if (id === null) return;
    const known = (await this.door.host.recent()).find((recent) => recent.id === id);
    if (known !== undefined) await this.open(known.path, known);
  }

  /** Opens the trace at a path, with other files of its recording, or a part of it. */
  open(path: string, { part, with: others }: Wanted = {}): Promise<void> {
    const names = [path, ...(others ?? [])].map((each) => each.split(/[\\/]/).at(-1) ?? each);
    return this.#run(
      names.join(' + '),
      () => this.open(path, { part, with: others }),
      (options) => this.door.host.open(path, { ...options, part, with: others }),
      (chosen) => this.open(path, { part: chosen, with: others }),
    );
  }

  /** Opens a file that was dropped or chosen in the page: by its path, or by giving its bytes to the host. */
  openFile(file: File, again: UploadedFile = { uploaded: null }): Promise<void> {
    const path = this.door.pathOfFile?.(file) ?? null;
    if (path !== null) return this.open(path);
    const { part } = again;
    let { uploaded } = again;
    return this.#run(
      file.name,
      () => this.openFile(file, again),
      async (options) => {
        if (this.door.upload === undefined) throw new Error('this page cannot open dropped files');
        const report = (fraction: number) => this.#report({ stage: 'upload', fraction });
        uploaded ??= await this.door.upload(file, report, options.signal);
        return this.#openPath(uploaded, file.name, { ...options, part });
      },
      (chosen) => this.openFile(file, { uploaded, part: chosen }),
    );
  }

  /** Asks the open trace for what can be many rows; they come in parts. */
  async queryInParts(sql: string, onPart: (bytes: Uint8Array) => void): Promise<void> {
    const trace = loaded.peek();
    if (trace === null) throw new Error('no trace is open');
    await this.door.host.queryInParts(trace.opened.id, sql, onPart);
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
      const message = error instanceof Error ? error.message : String(error);
      const retry = () => void this.start();
      if (isShown()) phase.value = { kind: 'failed', name, message, retry };
    } finally {
      reload.value = null;
    }
  }

  /** Lets the user choose a trace in the system's dialog. False where there is no such dialog. */
  async chooseFile(): Promise<boolean> {
    if (this.door.openDialog === undefined) return false;
    const path = await this.door.openDialog();
    if (path !== null) await this.open(path);
    return true;
  }

  async #run(
    name: string,
    retry: () => Promise<void>,
    open: (options: {
      signal: AbortSignal;
      onProgress: (p: OpeningPhase['progress']) => void;
    }) => Promise<OpenTrace>,
    openPart?: (part: TracePart) => Promise<void>,
  ): Promise<void> {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    const before = loaded.peek();
    const startedAtMs = Date.now();
    const cancel = () => {
      abort.abort();
      goHome();
    };
    phase.value = { kind: 'opening', name, progress: null, startedAtMs, cancel };
    try {
      const opened = await open({ signal: abort.signal, onProgress: (progress) => this.#report(progress) });
      if (abort.signal.aborted) return;
      if (before !== null && before.opened.id !== opened.id) void this.door.host.close(before.opened.id);
      const summary = await this.#summarise(opened);
      if (place.peek().trace !== opened.id) {
        const fresh = place.peek().trace === null ? place.peek() : START;
        place.value = { ...fresh, trace: opened.id };
      }
      phase.value = { kind: 'loaded', trace: { opened, summary } };
      document.title = `${opened.name} – Outrank`;
    } catch (error) {
      if (abort.signal.aborted) return;
      if (error instanceof TooLargeError && openPart !== undefined) {
        const { overview } = error;
        phase.value = { kind: 'too_large', name, overview, openPart: (part) => void openPart(part) };
        return;
      }
      const message = error instanceof Error ? error.message : String(error);
      phase.value = { kind: 'failed', name, message, retry: () => void retry() };
    }
  }

  /** Opens a path. Errors name the file without its folders, which a copied message should not give away. */
  async #openPath(path: string, name: string, options: OpenOptions): Promise<OpenTrace> {
    try {
      return await this.door.host.open(path, options);
    } catch (error) {
      if (error instanceof Error) error.message = error.message.replaceAll(path, name);
      throw error;
    }
  }

  #report(progress: OpeningPhase['progress']): void {
    const now = phase.peek();
    if (now.kind === 'opening') phase.value = { ...now, progress };
  }

  async #summarise({ id, name }: OpenTrace) {
    const ask = makeQuery((sql) => this.door.host.query(id, sql));
    const summary = await summariseTrace(ask);
    if (summary !== null) return summary;
    throw new Error(
      `${name} holds no Windows trace: Outrank opens .etl files and what it converted from them`,
    );
  }
}
