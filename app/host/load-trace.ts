import { basename } from 'node:path';
import { ColumnsError } from '../../shared/columns/index.ts';
import { makeQuery, type Engine } from '../../shared/engine/index.ts';
import { openArrowFolder, type ArrowFolder } from '../../shared/tables/arrow-folder.ts';
import { sqlTables } from '../../shared/tables/index.ts';
import { OpenError } from './api.ts';
import type { OpenTrace, TraceId } from './api.ts';
import { contentHash } from './content-hash.ts';
import type { ConvertedTraces, Opening } from './converted-traces.ts';
import type { TraceFile } from './identify.ts';
import { outlineEngine, type OutlineHelp } from './outline-engine.ts';
import { WHOLE } from './part.ts';
import type { CachedTrace, TraceCache } from './trace-cache.ts';
import type { Extent, Loaded } from './trace-engines.ts';
import { summariseTrace } from './trace-summary.ts';

/** What loading traces takes. */
export interface LoaderOptions {
  readonly cacheDir: string;
  readonly cache: TraceCache;
  readonly converted: ConvertedTraces;
  /** Starts an engine in a worker or process of its own. */
  readonly startEngine: () => Promise<Engine>;
  /** What is done for the engine of a trace's outline. */
  readonly helpFor: (id: TraceId) => OutlineHelp;
  /** What makes models; absent where the host makes none. */
  readonly models?: object;
}

/** A converted trace in the cache. */
interface Converted extends Omit<CachedTrace, 'columns'> {
  /** Its tables; null if it has none. */
  readonly columns: ArrowFolder | null;
}

/** Loads files, by way of the cache. */
export class TraceLoader {
  readonly #options: LoaderOptions;

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  /** Opens the outline of a file by its tables. No engine starts. */
  async openOutline(file: TraceFile, opening: Opening): Promise<Loaded<null>> {
    const { columns, warnings } = await this.#orAnew(file, 'outline', opening, (given) =>
      this.#convert(file, 'outline', given),
    );
    try {
      const summary = columns && (await summariseTrace(columns.tables));
      const trace = this.#describe(file, columns, { warnings, issues: [], summary });
      return { engine: null, columns, trace };
    } catch (error) {
      columns?.close();
      throw error;
    }
  }

  /** Loads a file into an engine of its own. */
  load(file: TraceFile, extent: Extent, opening: Opening): Promise<Loaded> {
    return this.#orAnew(file, extent, opening, (given) => this.#loadOnce(file, extent, given));
  }

  /** What `work` gives. Where it gives null, since the cache holds other bytes than were written, these are made anew. */
  async #orAnew<T>(
    file: TraceFile,
    extent: Extent,
    opening: Opening,
    work: (opening: Opening) => Promise<T | null>,
  ): Promise<T> {
    const { cache, cacheDir, converted } = this.#options;
    const done = await work(opening);
    if (done !== null) return done;
    await cache.remove(await converted.cacheKey(file.id, extent));
    const again = await work({ ...opening, ahead: null });
    if (again !== null) return again;
    throw new OpenError('cache', `${file.path}: what is written to the cache ${cacheDir} changes there`);
  }

  /** The converted trace of a file, with its tables open; null if the cache holds other bytes than were written. */
  async #convert(file: TraceFile, extent: Extent, opening: Opening): Promise<Converted | null> {
    const { columns: folder, ...trace } = await this.#options.converted.perfettoTrace(file, extent, opening);
    const columns = folder === null ? null : openColumns(folder);
    return columns === undefined ? null : { ...trace, columns };
  }

  /** Null if the cache holds other bytes than were written. */
  async #loadOnce(file: TraceFile, extent: Extent, opening: Opening): Promise<Loaded | null> {
    const { onProgress, signal } = opening;
    const starting = this.#options.startEngine();
    // The result is looked at only after the conversion. Until then a failure has no other handler.
    starting.catch(() => undefined);
    let columns: ArrowFolder | null = null;
    const end = (): Promise<void> => {
      columns?.close();
      columns = null;
      return starting.then((engine) => engine.end()).catch(() => undefined);
    };
    const abort = (): void => void end();
    signal?.addEventListener('abort', abort);
    try {
      const trace = await this.#convert(file, extent, opening);
      if (trace === null) {
        await end();
        return null;
      }
      const { path, warnings, sha256 } = trace;
      ({ columns } = trace);
      const started = await starting;
      const engine =
        columns === null ? started : outlineEngine(started, columns, this.#options.helpFor(file.id));
      // The engine works in another thread: meanwhile its bytes are checked.
      const [loading, found] = await Promise.allSettled([
        engine.load(path, (fraction) => onProgress?.({ stage: 'load', fraction }), columns?.files),
        sha256 === null ? null : contentHash(path, signal === undefined ? {} : { signal }),
      ]);
      signal?.throwIfAborted();
      if (found.status === 'fulfilled' && found.value !== sha256) {
        await end();
        return null;
      }
      if (loading.status === 'rejected') throw loading.reason;
      const { issues, complete } = loading.value;
      const cut = complete ? [] : [`${file.name}: the end of the Perfetto trace is missing`];
      const tables = columns?.tables ?? sqlTables(makeQuery((sql) => engine.query(sql)));
      const told = { warnings: [...warnings, ...cut], issues, summary: await summariseTrace(tables) };
      return { engine, columns, trace: this.#describe(file, columns, told) };
    } catch (error) {
      await end();
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** What the host says about an open file. */
  #describe(
    { id, name, sizeBytes, path, part, others }: TraceFile,
    columns: ArrowFolder | null,
    told: Pick<OpenTrace, 'warnings' | 'issues' | 'summary'>,
  ): OpenTrace {
    return {
      ...{ id, name, sizeBytes, ...told },
      ...(columns === null ? {} : { tables: columns.infos }),
      ...(this.#options.models === undefined ? {} : { makesModels: true }),
      ...(others.length === 0 ? {} : { files: [path, ...others].map((each) => basename(each)) }),
      ...(part === WHOLE ? {} : { part }),
    };
  }
}

/** The tables of a folder of the cache; undefined where a file of them is damaged. */
function openColumns(folder: string): ArrowFolder | undefined {
  try {
    return openArrowFolder(folder);
  } catch (error) {
    if (error instanceof ColumnsError) return undefined;
    throw error;
  }
}
