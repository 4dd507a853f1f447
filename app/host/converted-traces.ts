import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OpenError } from './api.ts';
import type { OpenOptions, TraceId, TracePart } from './api.ts';
import { convert } from './converter.ts';
import { startAhead, type Converting, type HeadStart } from './head-start.ts';
import type { TraceFile } from './identify.ts';
import { isConverted } from './is-converted.ts';
import type { KnownHashes } from './known-hashes.ts';
import { engineBytes } from './overview.ts';
import { partArguments, WHOLE } from './part.ts';
import type { ConverterLimits } from './run-converter.ts';
import type { CachedTrace, TraceCache } from './trace-cache.ts';
import type { Extent } from './trace-engines.ts';

/** What conversions need. */
export interface ConversionOptions {
  /** The binary `outrank-convert`. */
  readonly converterPath: string;
  /** Where a conversion that writes columns writes the same tables as Parquet; absent: nowhere. The next conversion writes over them. */
  readonly parquetDir?: string | undefined;
  /** Providers of whose events columns alone need to tell, for a host that asks no others; absent: all. */
  readonly eventsOf?: readonly string[] | undefined;
  /** What a run of the converter may take; absent: all. */
  readonly converterLimits?: ConverterLimits;
  /** From how many bytes on a file that was never read is converted while its hash is read. */
  readonly headStartBytes?: number;
  /** The most that is loaded, by the estimate of the engine's memory; a trace with more is offered in parts. */
  readonly engineBytes?: number;
}

/** Files of fewer bytes are hashed in no time. */
const HEAD_START_BYTES = 32 * 1024 ** 2;

/** What stands for the path of a trace's one file in warnings of the cache: a copy of the file has the same entry. */
const FILE = '<file>';

/** What an opening is of. */
export interface Opening extends OpenOptions {
  /** Its conversion, if that has begun. */
  readonly ahead?: HeadStart | null;
}

/** The way from files to their trace in the cache. */
export interface ConvertedTraces {
  readonly cacheKey: (id: TraceId, extent: Extent) => Promise<string>;
  readonly aheadOfHash: (path: string, opening: OpenOptions) => Promise<HeadStart | null>;
  /** The trace of a file: as it is, as it is in the cache, or as it is converted now. */
  readonly perfettoTrace: (file: TraceFile, extent: Extent, opening: Opening) => Promise<CachedTrace>;
}

/** Finds traces of files in a cache, and converts what is not there. */
export function convertedTraces(
  options: ConversionOptions,
  cache: TraceCache,
  hashes: KnownHashes,
): ConvertedTraces {
  let converterHash: Promise<string> | undefined;
  const limit_bytes = options.engineBytes ?? engineBytes();

  /** Entries of the cache are by content, by converter (another build may write another trace) and by what the engine may hold. */
  async function cacheKey(id: TraceId, extent: Extent): Promise<string> {
    converterHash ??= hashes.of(options.converterPath).catch(() => {
      converterHash = undefined;
      const hint = 'build it with `cargo build --release` in converter/, or set OUTRANK_CONVERTER';
      throw new OpenError('converter', `${options.converterPath}: no converter here: ${hint}`);
    });
    const key = `${id}-${(await converterHash).slice(0, 16)}-${limit_bytes}`;
    if (extent === 'whole') return key;
    return options.eventsOf === undefined ? `${key}-outline` : `${key}-outline-of-${options.eventsOf.join()}`;
  }

  /** Writes a Perfetto trace, and for an outline its columns. */
  function conversion(inputs: readonly string[], part: TracePart, extent: Extent): Converting {
    const [path, ...others] = inputs;
    const withoutPath = (warning: string): string =>
      path !== undefined && others.length === 0 && warning.startsWith(path)
        ? FILE + warning.slice(path.length)
        : warning;
    return async (output, columns, hearing) => {
      const warnings = await convert({
        converter: options.converterPath,
        inputs,
        output,
        columns: extent === 'outline' ? columns : null,
        parquet: options.parquetDir,
        eventsOf: options.eventsOf,
        part,
        engineBytes: limit_bytes,
        limits: options.converterLimits,
        ...hearing,
      });
      return warnings.map(withoutPath);
    };
  }

  /**
   * Begins to convert files whose hash must be read first, and which are not in the cache unless under another name. Null where this does
   * not pay, or the hash decides whether they are converted at all.
   */
  async function aheadOfHash(path: string, opening: OpenOptions): Promise<HeadStart | null> {
    const inputs = [path, ...(opening.with ?? [])].map((each) => resolve(each));
    const isWhole = partArguments(opening.part ?? WHOLE).length === 0;
    if (opening.columns !== true || opening.expected !== undefined || !isWhole || inputs.some(isConverted))
      return null;
    const sizes = await Promise.all(inputs.map((each) => stat(each).then(({ size }) => size))).catch(
      () => [],
    );
    const sizeBytes = sizes.reduce((sum, size) => sum + size, 0);
    if (sizeBytes < (options.headStartBytes ?? HEAD_START_BYTES)) return null;
    const known = await Promise.all(inputs.map((each) => hashes.knows(each)));
    if (!known.includes(false)) return null;
    return startAhead(cache, conversion(inputs, WHOLE, 'outline'), opening.signal);
  }

  async function perfettoTrace(file: TraceFile, extent: Extent, opening: Opening): Promise<CachedTrace> {
    const trace = await entryOf(file, extent, opening);
    const withPath = (warning: string): string =>
      warning.startsWith(FILE) ? file.path + warning.slice(FILE.length) : warning;
    return { ...trace, warnings: trace.warnings.map(withPath) };
  }

  async function entryOf(
    file: TraceFile,
    extent: Extent,
    { onProgress, signal, ahead }: Opening,
  ): Promise<CachedTrace> {
    const inputs = [file.path, ...file.others];
    const ready = inputs.find(isConverted);
    if (ready !== undefined) {
      if (file.others.length > 0)
        throw new OpenError('selection', `${ready}: a converted trace cannot be merged with other files`);
      if (file.part === WHOLE) return { path: file.path, columns: null, warnings: [], sha256: null };
      throw new OpenError(
        'selection',
        `${file.path}: a converted trace is opened whole: choose a part of its .etl`,
      );
    }
    const progress = (fraction: number): void => onProgress?.({ stage: 'convert', fraction });
    const key = await cacheKey(file.id, extent);
    const cached = await cache.get(key);
    if (cached !== null) return cached;
    if (ahead != null && extent === 'outline') return ahead.goOn(key, progress);
    const write = conversion(inputs, file.part, extent);
    return cache.add(key, (output, columns) => write(output, columns, { onProgress: progress, signal }));
  }

  return { cacheKey, aheadOfHash, perfettoTrace };
}
