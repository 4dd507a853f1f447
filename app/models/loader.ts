import type { TableInfo } from '../../shared/tables/index.ts';
import type { FromWorker, ToWorker, Wish } from './protocol.ts';
import type { ModelCall, ModelSource } from './source.ts';

/** Asks a trace until the signal is aborted, and gives the answer's own bytes, which are then no longer the caller's. */
export type AskBytes = (wish: Wish, signal: AbortSignal | undefined) => Promise<Uint8Array>;

/** A worker that loads models: of a page, or a thread of a host. */
export interface ModelWorker {
  post(message: ToWorker, transfer: ArrayBuffer[]): void;
  onMessage(listener: (message: FromWorker) => void): void;
  /** Calls the listener with the reason when the worker has failed. */
  onFailure(listener: (message: string) => void): void;
  end(): void;
}

interface Call<M> {
  readonly source: number;
  readonly resolve: (model: M | null) => void;
  readonly reject: (error: unknown) => void;
}

interface Source {
  readonly ask: AskBytes;
  readonly tables: readonly TableInfo[] | undefined;
  /** The newest call: what is asked is asked for it. */
  newest: ModelCall;
}

/** Loads models of views in a worker: what they ask of a trace is asked outside of it. `M` is how the worker writes a model. */
export class ModelLoader<M = unknown> {
  readonly #start: () => ModelWorker;
  #worker: ModelWorker | null = null;
  readonly #calls = new Map<number, Call<M>>();
  #callCount = 0;
  readonly #sources = new Map<number, Source>();
  #sourceCount = 0;
  /** Why asks were refused, until the call that asked has failed. */
  readonly #refused = new Map<number, unknown>();

  constructor(start: () => ModelWorker) {
    this.#start = start;
  }

  /** A trace that is asked in this way, and its tables in columns, if it has any. */
  connect(ask: AskBytes, tables: readonly TableInfo[] | undefined): ModelSource<M> {
    const source = this.#sourceCount++;
    const known: Source = { ask, tables, newest: {} };
    this.#sources.set(source, known);
    this.#worker?.post({ kind: 'source', source, tables }, []);
    const call = (options: ModelCall, message: (call: number) => ToWorker): Promise<M | null> =>
      new Promise((resolve, reject) => {
        if (!this.#sources.has(source)) throw new Error('the trace was closed');
        known.newest = options;
        const call = this.#callCount++;
        this.#calls.set(call, { source, resolve, reject });
        this.#send(message(call));
      });
    return {
      load: (step, wanted, options) => call(options, (call) => ({ kind: 'run', call, source, step, wanted })),
      ask: (view, question, options) =>
        call(options, (call) => ({ kind: 'question', call, source, view, question })),
      end: () => {
        if (!this.#sources.delete(source)) return;
        this.#worker?.post({ kind: 'end', source }, []);
        this.#fail(new Error('the trace was closed'), (call) => call.source === source);
      },
    };
  }

  /** Ends the worker. What is under way fails. */
  end(): void {
    this.#worker?.end();
    this.#worker = null;
    this.#sources.clear();
    this.#fail(new Error('the trace was closed'));
  }

  #send(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.#worker ??= this.#connected();
    this.#worker.post(message, transfer);
  }

  #connected(): ModelWorker {
    const worker = this.#start();
    worker.onMessage((message) => this.#receive(message));
    worker.onFailure((message) => {
      if (this.#worker !== worker) return;
      worker.end();
      this.#worker = null;
      this.#fail(new Error(`the worker that loads views ended: ${message || 'it could not be started'}`));
    });
    for (const [source, { tables }] of this.#sources) worker.post({ kind: 'source', source, tables }, []);
    return worker;
  }

  #fail(error: Error, isMeant: (call: Call<M>) => boolean = () => true): void {
    for (const [number, call] of this.#calls) {
      if (!isMeant(call)) continue;
      this.#calls.delete(number);
      call.reject(error);
    }
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'ask') {
      void this.#answer(message);
      return;
    }
    const call = this.#calls.get(message.call);
    this.#calls.delete(message.call);
    if (message.kind === 'model') call?.resolve(message.model as M | null);
    else call?.reject(this.#refused.get(message.ask ?? -1) ?? new Error(message.message));
    if (this.#calls.size === 0) this.#refused.clear();
  }

  async #answer({ ask, source, wish }: Extract<FromWorker, { kind: 'ask' }>): Promise<void> {
    const worker = this.#worker;
    const isThere = () => worker !== null && worker === this.#worker;
    try {
      const of = this.#sources.get(source);
      if (of === undefined) throw new Error('the trace was closed');
      const { signal, onAsked } = of.newest;
      if (wish.kind === 'sql') onAsked?.(wish.statement, wish.sql);
      const bytes = await of.ask(wish, signal);
      const own = ownBytes(bytes);
      if (isThere()) this.#send({ kind: 'answer', ask, bytes: own }, [own.buffer]);
    } catch (error) {
      this.#refused.set(ask, error);
      if (isThere()) this.#send({ kind: 'refused', ask });
    }
  }
}

/** Bytes that are alone in their memory, which can be handed over. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength)
    return bytes as Uint8Array<ArrayBuffer>;
  return bytes.slice();
}
