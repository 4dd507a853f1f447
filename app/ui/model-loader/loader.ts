import type { TableInfo } from '../../../shared/tables/index.ts';
import type { FromWorker, Step, ToWorker, Wanted, Wish } from './protocol.ts';

/** Asks a trace, and gives the answer's own bytes, which are then no longer the caller's. */
export type AskBytes = (wish: Wish) => Promise<Uint8Array>;

/** A trace whose models can be loaded. */
export interface ModelSource {
  /** The model that a step of a view gives; of `later` null where it has nothing to add. */
  load(step: Step, wanted: Wanted): Promise<unknown>;
  /** What a view answers to what it asked itself when it was drawn. */
  ask(view: string, question: unknown): Promise<unknown>;
  /** Lets the worker forget what views have kept of it. */
  end(): void;
}

interface Call {
  readonly resolve: (model: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Loads models of views in a worker: what they ask of a trace, the page asks for them. */
export class ModelLoader {
  #worker: Worker | null = null;
  readonly #calls = new Map<number, Call>();
  #callCount = 0;
  readonly #sources = new Map<number, { ask: AskBytes; tables: readonly TableInfo[] | undefined }>();
  #sourceCount = 0;
  /** Why asks were refused, until the call that asked has failed. */
  readonly #refused = new Map<number, unknown>();

  /** A trace that is asked in this way, and its tables in columns, if it has any. */
  connect(ask: AskBytes, tables: readonly TableInfo[] | undefined): ModelSource {
    const source = this.#sourceCount++;
    this.#sources.set(source, { ask, tables });
    this.#worker?.postMessage({ kind: 'source', source, tables } satisfies ToWorker);
    const call = (message: (call: number) => ToWorker): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const call = this.#callCount++;
        this.#calls.set(call, { resolve, reject });
        this.#send(message(call));
      });
    return {
      load: (step, wanted) => call((call) => ({ kind: 'run', call, source, step, wanted })),
      ask: (view, question) => call((call) => ({ kind: 'question', call, source, view, question })),
      end: () => {
        this.#sources.delete(source);
        this.#send({ kind: 'end', source });
      },
    };
  }

  #send(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message, transfer);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#receive(data);
    worker.onerror = ({ message }) => {
      worker.terminate();
      this.#worker = null;
      const error = new Error(`the worker that loads views ended: ${message || 'it could not be started'}`);
      for (const { reject } of this.#calls.values()) reject(error);
      this.#calls.clear();
    };
    for (const [source, { tables }] of this.#sources)
      worker.postMessage({ kind: 'source', source, tables } satisfies ToWorker);
    return worker;
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'ask') {
      void this.#answer(message);
      return;
    }
    const call = this.#calls.get(message.call);
    this.#calls.delete(message.call);
    if (message.kind === 'model') call?.resolve(message.changed ? message.model : null);
    else call?.reject(this.#refused.get(message.ask ?? -1) ?? new Error(message.message));
    if (this.#calls.size === 0) this.#refused.clear();
  }

  async #answer({ ask, source, wish }: Extract<FromWorker, { kind: 'ask' }>): Promise<void> {
    try {
      const of = this.#sources.get(source);
      if (of === undefined) throw new Error('the trace was closed');
      const bytes = await of.ask(wish);
      this.#send({ kind: 'answer', ask, bytes }, [bytes.buffer]);
    } catch (error) {
      this.#refused.set(ask, error);
      this.#send({ kind: 'refused', ask });
    }
  }
}
