import type { Call } from '../../shared/border/index.ts';
import { readFileAddress } from '../../shared/link/index.ts';
import { OpenError, type OpenOptions } from '../host/api.ts';
import { runJob } from './job-worker.ts';
import workerUrl from './fetch-worker.ts?worker&url';

/** What the worker answers that fetches a file. */
export interface FetchCalls {
  fetch: Call<
    {
      readonly address: string;
      /** What the link says; null if it says nothing. */
      readonly sizeBytes: number | null;
      /** A folder of the kept traces; null for memory. */
      readonly folder: string | null;
    },
    Blob,
    /** How many bytes were read, of how many, if that is known. */
    { readonly bytes: number; readonly of: number | null }
  >;
}

/** Fetches a file that the user agreed to, by a worker whose policy allows for its address alone. */
export async function fetchFile(
  { address, ...wanted }: FetchCalls['fetch']['given'],
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
  return runJob<FetchCalls, 'fetch'>(
    () => new Worker(script, { type: 'module' }),
    'server',
    'fetch',
    { address: url.href, ...wanted },
    {
      signal,
      onNote: ({ bytes, of }) =>
        onProgress?.({ stage: 'download', fraction: of === null ? null : Math.min(1, bytes / of) }),
    },
  );
}
