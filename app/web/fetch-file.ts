import { readFileAddress } from '../../shared/link/index.ts';
import { OpenError, type OpenOptions } from '../host/api.ts';
import workerUrl from './fetch-worker.ts?worker&url';

/** What the worker is to fetch. */
export interface ToFetcher {
  readonly address: string;
  /** What the link says; null if it says nothing. */
  readonly sizeBytes: number | null;
  /** A folder of the kept traces; null for memory. */
  readonly folder: string | null;
}

/** What the worker tells. */
export type FromFetcher =
  | { readonly kind: 'read'; readonly bytes: number; readonly of: number | null }
  | { readonly kind: 'fetched'; readonly blob: Blob }
  | { readonly kind: 'failed'; readonly reason: OpenError['kind']; readonly message: string };

/** Fetches a file that the user agreed to, by a worker whose policy allows for its address alone. */
export async function fetchFile(
  { address, ...wanted }: ToFetcher,
  { signal, onProgress }: OpenOptions,
): Promise<Blob> {
  signal?.throwIfAborted();
  const url = readFileAddress(address);
  if (url === null) throw new OpenError('server', `${address}: is no address of a public file`);
  // Without it the worker would have no policy at all.
  if (!('serviceWorker' in navigator) || navigator.serviceWorker.controller === null)
    throw new OpenError(
      'refused',
      'this page fetches files only where its service worker guards it: load the page again, or download the file',
    );
  const script = new URL(workerUrl, location.href);
  script.searchParams.set('connect', url.origin + url.pathname);
  const worker = new Worker(script, { type: 'module' });
  try {
    return await new Promise<Blob>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('It was cancelled.', 'AbortError')));
      worker.onerror = ({ message }) =>
        reject(new OpenError('server', message || 'the worker that fetches files cannot be started'));
      worker.onmessage = ({ data }: MessageEvent<FromFetcher>) => {
        if (data.kind === 'fetched') resolve(data.blob);
        else if (data.kind === 'failed') reject(new OpenError(data.reason, data.message));
        else
          onProgress?.({
            stage: 'download',
            fraction: data.of === null ? null : Math.min(1, data.bytes / data.of),
          });
      };
      worker.postMessage({ address: url.href, ...wanted } satisfies ToFetcher);
    });
  } finally {
    worker.terminate();
  }
}
