import { OpenError, type OpenOptions, type OpenTrace, type TraceId } from './api.ts';
import type { Opening } from './converted-traces.ts';
import { identify, type TraceFile } from './identify.ts';
import { isConverted } from './is-converted.ts';
import type { KnownHashes } from './known-hashes.ts';
import type { TraceLoader } from './load-trace.ts';
import { WHOLE } from './part.ts';
import { TraceEngines, type Extent, type Loaded } from './trace-engines.ts';
import type { ModelsOfTrace } from './trace-models.ts';

/** A trace that is open. */
interface Opened {
  readonly file: TraceFile;
  readonly engines: TraceEngines;
  /** Null until models are wanted. */
  models: ModelsOfTrace | null;
  /** How many `open` have not been followed by `close`. */
  holders: number;
}

/** The open traces of a host. Who opens a file that is open shares its trace. */
export class OpenTraces {
  readonly #loader: TraceLoader;
  readonly #hashOf: KnownHashes['of'];
  readonly #opened = new Map<TraceId, Opened>();

  constructor(loader: TraceLoader, hashOf: KnownHashes['of']) {
    this.#loader = loader;
    this.#hashOf = hashOf;
  }

  /** Undefined where no open trace has the id. */
  get(id: TraceId): Opened | undefined {
    return this.#opened.get(id);
  }

  /** Throws where no open trace has the id. */
  find(id: TraceId): Opened {
    const opened = this.#opened.get(id);
    if (!opened) throw new OpenError('not_open', `no open trace has the id ${id}`);
    return opened;
  }

  /** Loads a file, or shares it with those who have it open; an opening that fails is no reason for another to fail. */
  async open(file: TraceFile, opening: Opening): Promise<OpenTrace> {
    const { id } = file;
    for (let other = this.get(id); other; other = this.get(id)) {
      const trace = await other.engines.trace().catch(() => null);
      opening.signal?.throwIfAborted();
      if (!trace || this.get(id) !== other) continue;
      other.holders += 1;
      return trace;
    }
    const first =
      canBeOutlined(file) && opening.columns === true
        ? this.#loader.openOutline(file, opening)
        : this.#loader.load(file, 'whole', opening);
    const engines = new TraceEngines(
      {
        load: (extent, options) => this.#loadAgain(file, extent, options),
        lost: () => this.#end(opened),
      },
      first,
    );
    const opened: Opened = { file, engines, models: null, holders: 1 };
    this.#opened.set(id, opened);
    return engines.trace();
  }

  /** Closes a trace for one of those who have it open; it ends with the last of them. */
  async close(id: TraceId): Promise<void> {
    const opened = this.find(id);
    opened.holders -= 1;
    if (opened.holders === 0) await this.#end(opened);
  }

  async end(): Promise<void> {
    await Promise.all([...this.#opened.values()].map((opened) => this.#end(opened)));
  }

  async #end(opened: Opened): Promise<void> {
    const { id } = opened.file;
    if (this.get(id) === opened) this.#opened.delete(id);
    opened.models?.end();
    await opened.engines.end();
  }

  /** Loads a file that was open before, as it was identified then. */
  async #loadAgain(file: TraceFile, extent: Extent, options: OpenOptions): Promise<Loaded> {
    const { id, path, others, part } = file;
    const found = await identify(path, { ...options, part, with: others }, this.#hashOf);
    if (found.id === id) return this.#loader.load(found, extent, options);
    throw new OpenError('file', `${found.path}: the file has changed since it was opened`);
  }
}

/** Columns have the whole of what an `.etl` tells. */
function canBeOutlined({ path, others, part }: TraceFile): boolean {
  return part === WHOLE && ![path, ...others].some(isConverted);
}
