import { connect, messagePort, serve, type Asker, type Port } from '../../shared/border/index.ts';
import { ERROR_FORMS } from '../host/error-forms.ts';
import type {
  AskBytes,
  ModelCall,
  ModelMaker,
  ModelSource,
  TraceTables,
} from '../host/model-source/index.ts';
import type { ModelWorkerCalls, SourceCalls, TraceCalls } from './protocol.ts';

interface Worker {
  readonly port: Port;
  readonly asker: Asker<ModelWorkerCalls>;
}

/** The way to a worker and back for one trace. */
interface Line<M> {
  readonly worker: Worker;
  readonly asker: Asker<SourceCalls<M>>;
  readonly port: Port;
}

interface Source<M> {
  readonly ask: AskBytes;
  readonly tables: TraceTables;
  /** The newest call: what is asked is asked for it. */
  newest: ModelCall;
  /** Null until something is loaded. */
  line: Line<M> | null;
}

/** Loads models of views in a worker, which asks each trace by a port of its own. `M` is how the worker writes a model. */
export class ModelLoader<M = unknown> implements ModelMaker<M> {
  readonly #start: () => Port;
  #worker: Worker | null = null;
  readonly #sources = new Set<Source<M>>();

  /** `start` starts a worker that serves models (`serveModels`). */
  constructor(start: () => Port) {
    this.#start = start;
  }

  begin(): void {
    this.#begun();
  }

  connect(ask: AskBytes, { tables, folder, hasSymbols }: TraceTables): ModelSource<M> {
    const source: Source<M> = { ask, tables: { tables, folder, hasSymbols }, newest: {}, line: null };
    this.#sources.add(source);
    const lineFor = (options: ModelCall): Asker<SourceCalls<M>> => {
      if (!this.#sources.has(source)) throw closed();
      source.newest = options;
      return this.#lineOf(source).asker;
    };
    return {
      load: async (step, wanted, options) => lineFor(options).call('load', { step, wanted }),
      ask: async (view, question, options) => lineFor(options).call('ask', { view, question }),
      end: () => {
        if (this.#sources.delete(source)) this.#hangUp(source);
      },
    };
  }

  end(): void {
    void this.#worker?.port.close();
    this.#worker = null;
    for (const source of this.#sources) this.#hangUp(source);
    this.#sources.clear();
  }

  #hangUp({ line }: Source<M>): void {
    line?.asker.tell('end', null);
    line?.asker.end(closed());
    void line?.port.close();
  }

  #lineOf(source: Source<M>): Line<M> {
    const worker = this.#begun();
    if (source.line?.worker !== worker) source.line = openLine(worker, source);
    return source.line;
  }

  #begun(): Worker {
    return (this.#worker ??= this.#started());
  }

  #started(): Worker {
    const port = this.#start();
    const worker = { port, asker: connect<ModelWorkerCalls>(port) };
    port.onClose((reason) => {
      if (this.#worker !== worker) return;
      void port.close();
      this.#worker = null;
      const failed = new Error(`the worker that loads views ended: ${reason}`);
      for (const { line } of this.#sources) if (line?.worker === worker) line.asker.end(failed);
    });
    return worker;
  }
}

function openLine<M>(worker: Worker, source: Source<M>): Line<M> {
  const { port1, port2 } = new MessageChannel();
  // Why a worker has ended, the port to the worker says.
  const port: Port = { ...messagePort(port1), onClose: () => undefined };
  const asker = connect<SourceCalls<M>>(port, { errors: ERROR_FORMS });
  serve<TraceCalls>(
    port,
    {
      async wish(wish) {
        return ownBytes(await source.ask(wish, source.newest.signal));
      },
    },
    { errors: ERROR_FORMS, handsOver: true },
  );
  // In Node it waits for messages: it is no reason for the process to go on.
  (port1 as { unref?: () => void }).unref?.();
  worker.asker.tell('open', { port: port2, ...source.tables }, [port2]);
  return { worker, asker, port };
}

const closed = (): Error => new Error('the trace was closed');

/** Bytes that are alone in their memory, which can be handed over. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength)
    return bytes as Uint8Array<ArrayBuffer>;
  return bytes.slice();
}
