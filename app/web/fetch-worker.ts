/**
 * The worker that fetches one file from elsewhere, to which the user agreed. The service worker sends its script with a policy that
 * allows for connections to this one address, and to nothing else.
 */
import { pagePort, serve } from '../../shared/border/index.ts';
import { OpenError } from '../host/api.ts';
import { ERROR_FORMS } from '../host/error-forms.ts';
import { MemoryStore, type ByteStore } from './byte-store.ts';
import type { FetchCalls } from './fetch-file.ts';
import { privateFiles, writtenTo } from './private-files.ts';

/** The longest file that is fetched where the link does not say how long it is. */
const BYTES_MAX = 32e9;
/** What is held in memory, where the browser has no files or no more room. */
const MEMORY_BYTES_MAX = 1 << 30;

serve<FetchCalls>(
  pagePort(),
  { fetch: (wanted, { note }) => fetchFile(wanted, note) },
  { errors: ERROR_FORMS },
);

async function fetchFile(
  { address, sizeBytes, folder }: FetchCalls['fetch']['given'],
  note: (read: FetchCalls['fetch']['note']) => void,
): Promise<Blob> {
  const { host } = new URL(address);
  const wrong = (why: string): OpenError => new OpenError('server', `${host}: ${why}`);
  const answer = await fetch(address, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    redirect: 'manual',
    cache: 'no-store',
  }).catch(() => {
    throw wrong('it cannot be reached, or it lets no other page read its files (CORS): download the file');
  });
  if (answer.type === 'opaqueredirect')
    throw wrong('it sends on to another address, which is not followed: download the file');
  if (!answer.ok || answer.body === null) throw wrong(`it answers ${answer.status}`);
  const announced = Number(answer.headers.get('content-length') ?? NaN);
  const of = sizeBytes ?? (announced > 0 ? announced : null);
  const stores = await privateFiles(folder, 1);
  const store: ByteStore = stores[0] ?? new MemoryStore();
  const reader = answer.body.getReader();
  let read_bytes = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw wrong('the connection broke off');
    });
    if (done) break;
    read_bytes += value.length;
    if (read_bytes > (sizeBytes ?? BYTES_MAX))
      throw wrong(`it sends more than the ${sizeBytes ?? BYTES_MAX} bytes of the file`);
    store.write(value, read_bytes - value.length);
    const isInMemory = stores[0]?.memory !== null;
    if (isInMemory && read_bytes > MEMORY_BYTES_MAX)
      throw new OpenError(
        'cache',
        `this browser has no room for more than ${MEMORY_BYTES_MAX} bytes of the file`,
      );
    note({ bytes: read_bytes, of });
  }
  if (sizeBytes !== null && read_bytes < sizeBytes)
    throw wrong(`it sends ${read_bytes} bytes, and the file has ${sizeBytes}`);
  for (const each of stores) each.close();
  const { blob } = await writtenTo(store, folder);
  return blob;
}
