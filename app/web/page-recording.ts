import { makeQuery, type Engine } from '../../shared/engine/index.ts';
import { arrowTables, sqlTables, TABLE_NAMES } from '../../shared/tables/index.ts';
import { lentFile } from '../../shared/tables/lent-file.ts';
import { OpenError, type OpenOptions, type OpenTrace, type TraceId, type TracePart } from '../host/api.ts';
import { conversionArguments, warningsOf } from '../host/conversion.ts';
import { outlineEngine } from '../host/outline-engine.ts';
import { isConverted } from '../host/is-converted.ts';
import { engineBytes } from '../host/overview.ts';
import { WHOLE } from '../host/part.ts';
import type { Extent, Loaded } from '../host/trace-engines.ts';
import { summariseTrace } from '../host/trace-summary.ts';
import type { TableFile } from './columns-protocol.ts';
import type { GivenFile, WrittenFile } from './job.ts';
import type { KeptTrace, KeptTraces } from './kept-traces.ts';
import { openPageColumns } from './page-columns.ts';
import { CONVERTER, runInPage, startPageEngine, type PageEngine } from './workers.ts';

/** Where the converter writes. */
const OUTPUT = '/out/trace.pftrace';
const COLUMNS = '/columns';

const ENGINE_BYTES = engineBytes();

/** A recording that is to be opened. */
export interface Recording {
  readonly id: TraceId;
  readonly name: string;
  readonly sizeBytes: number;
  readonly part: TracePart;
  /** Its files; none if only what they became is kept. */
  readonly files: readonly GivenFile[];
}

/** What an engine loads, and what was lost on the way to it. */
interface Converted {
  readonly trace: Blob;
  readonly columns: readonly TableFile[] | null;
  readonly warnings: readonly string[];
  /** What it is kept as; null if it was made just now. */
  readonly kept: KeptTrace | null;
  /** Lets others remove what it is kept in. */
  release(): void;
}

/** A recording whose extents are converted when they are first loaded, and held until the end. */
export class PageRecording {
  readonly #kept: KeptTraces;
  readonly #recording: Recording;
  readonly #converted = new Map<Extent, Converted>();

  constructor(kept: KeptTraces, recording: Recording) {
    this.#kept = kept;
    this.#recording = recording;
  }

  get recording(): Recording {
    return this.#recording;
  }

  /** What of it is loaded first: columns have the whole of what an `.etl` tells. */
  firstExtent({ columns }: OpenOptions): Extent {
    const { part, files, id } = this.#recording;
    if (columns !== true || part !== WHOLE) return 'whole';
    if (files.length > 0) return files.some(({ path }) => isConverted(path)) ? 'whole' : 'outline';
    return this.#kept.list().some((each) => each.id === id && hasAllTables(each)) ? 'outline' : 'whole';
  }

  /** Loads an extent into an engine of its own. What is kept of it is made anew if it cannot be loaded. */
  async load(extent: Extent, options: OpenOptions): Promise<Loaded> {
    const engine = startPageEngine();
    const abort = (): void => void engine.end();
    options.signal?.addEventListener('abort', abort);
    try {
      const converted = await this.#get(extent, options);
      try {
        return await this.#loadInto(engine, converted, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (converted.kept === null || this.#recording.files.length === 0) throw error;
        this.#forget(extent);
        await this.#kept.remove([converted.kept]);
        return await this.#loadInto(engine, await this.#get(extent, options), options);
      }
    } catch (error) {
      await engine.end();
      options.signal?.throwIfAborted();
      throw error;
    } finally {
      options.signal?.removeEventListener('abort', abort);
    }
  }

  release(): void {
    for (const extent of this.#converted.keys()) this.#forget(extent);
  }

  #forget(extent: Extent): void {
    this.#converted.get(extent)?.release();
    this.#converted.delete(extent);
  }

  async #get(extent: Extent, options: OpenOptions): Promise<Converted> {
    const known = this.#converted.get(extent);
    if (known !== undefined) return known;
    const converted = (await this.#findKept(extent)) ?? (await this.#convert(extent, options));
    this.#converted.set(extent, converted);
    return converted;
  }

  #keyOf(extent: Extent): string {
    const key = `${this.#recording.id}-${CONVERTER}-${ENGINE_BYTES}`;
    return extent === 'outline' ? `${key}-outline` : key;
  }

  async #findKept(extent: Extent): Promise<Converted | null> {
    const { id, files } = this.#recording;
    const isIt = (each: KeptTrace): boolean =>
      files.length > 0
        ? each.key === this.#keyOf(extent)
        : each.id === id && (extent === 'outline' ? hasAllTables(each) : each.columns === undefined);
    const kept = this.#kept.list().find(isIt);
    const found = kept === undefined ? null : await this.#kept.open(kept);
    if (kept === undefined || found === null) return null;
    return { ...found, warnings: kept.warnings, kept };
  }

  async #convert(extent: Extent, { signal, onProgress }: OpenOptions): Promise<Converted> {
    const { name, part, files } = this.#recording;
    const [first] = files;
    if (first === undefined)
      throw new OpenError('file', `${name}: is not kept in this browser any more: open the file itself`);
    const inputs = files.map(({ path }) => path);
    const release = (): void => undefined;
    if (inputs.some(isConverted)) {
      if (files.length > 1 || part !== WHOLE)
        throw new OpenError('selection', `${name}: a converted trace is opened whole and by itself`);
      return { trace: first.blob, columns: null, warnings: [], kept: null, release };
    }
    const columns = extent === 'outline' ? COLUMNS : null;
    const args = conversionArguments({ columns, inputs, output: OUTPUT, part, engineBytes: ENGINE_BYTES });
    const folder = await this.#kept.folder();
    try {
      const { end, written } = await runInPage(
        { files, args, folder: folder?.name ?? null },
        { signal, onProgress: (fraction) => onProgress?.({ stage: 'convert', fraction }) },
      );
      const warnings = warningsOf(end, inputs, ENGINE_BYTES).map(plainNames);
      const output = written.find(({ path }) => path === OUTPUT);
      if (output === undefined) throw new OpenError('converter', `${name}: the converter wrote nothing`);
      const tables = columns === null ? null : tablesIn(written);
      if (folder !== null) await this.#keep(extent, folder.name, warnings, output, tables);
      return {
        ...{ trace: output.blob, warnings, kept: null },
        columns: tables?.map(({ table, blob }) => ({ table, blob })) ?? null,
        release: () => folder?.release(),
      };
    } catch (error) {
      folder?.release();
      // Of a folder in which nothing is kept nothing stays.
      await this.#kept.remove([]);
      throw error;
    }
  }

  async #keep(
    extent: Extent,
    folder: string,
    warnings: readonly string[],
    { stored, blob }: WrittenFile,
    tables: readonly WrittenTable[] | null,
  ): Promise<void> {
    const { id, name, sizeBytes, part } = this.#recording;
    const columns = tables?.flatMap(({ table, stored, blob }) =>
      stored === null ? [] : [{ table, file: stored, sizeBytes: blob.size }],
    );
    // What is in memory, since there was no room, is shown all the same.
    if (stored === null || columns?.length !== tables?.length) return;
    const trace: KeptTrace = {
      ...{ key: this.#keyOf(extent), id, name, sizeBytes, warnings: [...warnings], folder },
      ...(part === WHOLE ? {} : { part }),
      trace: { file: stored, sizeBytes: blob.size },
      ...(columns === undefined ? {} : { columns }),
      usedAtMs: Date.now(),
    };
    await this.#kept.add(trace).catch(() => undefined);
  }

  async #loadInto(
    started: PageEngine,
    { trace: blob, columns: tables, warnings }: Converted,
    { onProgress }: OpenOptions,
  ): Promise<Loaded> {
    const { id, name, sizeBytes, part, files } = this.#recording;
    const lent = tables?.map(({ table, blob }) => ({ path: `${COLUMNS}/${table}.arrow`, table, blob })) ?? [];
    started.give([{ path: OUTPUT, blob }, ...lent.map(({ path, blob }) => ({ path, blob }))]);
    const loading = started.load(
      OUTPUT,
      (fraction) => onProgress?.({ stage: 'load', fraction }),
      lent.map(({ table, path }) => lentFile(table, path)),
    );
    const [opening] = await Promise.allSettled([tables === null ? null : openPageColumns(tables), loading]);
    // Where both fail, what the tables say is told. The engine is at rest then: it may be given other files.
    if (opening.status === 'rejected') throw opening.reason;
    const columns = opening.value;
    try {
      const report = await loading;
      const engine: Engine = columns === null ? started : outlineEngine(started, columns);
      const cut = report.complete ? [] : [`${name}: the end of the Perfetto trace is missing`];
      const trace: OpenTrace = {
        ...{ id, name, sizeBytes, warnings: [...warnings, ...cut], issues: report.issues },
        summary: await summariseTrace(
          columns === null
            ? sqlTables(makeQuery((sql) => engine.query(sql)))
            : arrowTables(columns.infos, columns.read),
        ),
        ...(columns === null ? {} : { tables: columns.infos }),
        ...(files.length > 1 ? { files: files.map(({ path }) => path.split('/').at(-1) ?? path) } : {}),
        ...(part === WHOLE ? {} : { part }),
      };
      return { engine, trace, columns };
    } catch (error) {
      columns?.close();
      throw error;
    }
  }
}

/** A table that the converter has written. */
type WrittenTable = TableFile & Pick<WrittenFile, 'stored'>;

/** Whether an outline is kept that the models of today can be made of: that of an older converter may lack tables. */
function hasAllTables({ columns }: KeptTrace): boolean {
  return columns !== undefined && TABLE_NAMES.every((name) => columns.some(({ table }) => table === name));
}

function tablesIn(written: readonly WrittenFile[]): readonly WrittenTable[] {
  return TABLE_NAMES.flatMap((table): WrittenTable[] => {
    const file = written.find(({ path }) => path === `${COLUMNS}/${table}.arrow`);
    return file === undefined ? [] : [{ table, stored: file.stored, blob: file.blob }];
  });
}

/** A message that names files as the user knows them. */
export function plainNames(message: string): string {
  return message.replaceAll(/\/files\/\d+\//g, '');
}
