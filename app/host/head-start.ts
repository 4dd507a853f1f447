import type { CachedTrace, TraceCache } from './trace-cache.ts';

/** Writes a Perfetto trace to a path, and columns to a folder where some are wanted; resolves with the warnings. */
export type Converting = (
  path: string,
  columns: string,
  hearing: { readonly signal: AbortSignal | undefined; readonly onProgress: (fraction: number) => void },
) => Promise<readonly string[]>;

/** A conversion that began before its file was known by its hash, which takes a while to read. */
export interface HeadStart {
  /** Goes on as the entry of a key in the cache, and tells its progress from now on. */
  goOn(key: string, onProgress: (fraction: number) => void): Promise<CachedTrace>;
  /** Ends it where it does not go on; nothing stays of it. */
  end(): Promise<void>;
}

/** Begins a conversion into the cache. */
export function startAhead(
  cache: TraceCache,
  convert: Converting,
  signal: AbortSignal | undefined,
): HeadStart {
  const ended = new AbortController();
  const abort = (): void => ended.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  let fraction = 0;
  let hear: ((fraction: number) => void) | null = null;
  const onProgress = (done: number) => {
    fraction = done;
    hear?.(done);
  };
  const entry = cache.begin((path, columns) => convert(path, columns, { signal: ended.signal, onProgress }));
  return {
    goOn(key, onProgress) {
      hear = onProgress;
      onProgress(fraction);
      return entry.publish(key);
    },
    async end() {
      signal?.removeEventListener('abort', abort);
      ended.abort();
      await entry.discard();
    },
  };
}
