import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { cacheDir } from '../../host/locate.ts';
import { Lake } from './lake.ts';
import { LakeReader, type ReaderOptions } from './reader.ts';

/** Lets `use` ask a lake with all CPUs; copies of files that lie elsewhere are kept in the cache. */
export async function readLake<T>(
  address: string,
  options: Pick<ReaderOptions, 'memoryBytes' | 'signal'>,
  use: (reader: LakeReader) => Promise<T>,
): Promise<T> {
  const reader = await LakeReader.open(await Lake.open(address), {
    ...options,
    threads: availableParallelism(),
    copies: join(cacheDir(), 'lakes'),
  });
  try {
    return await use(reader);
  } finally {
    await reader.end();
  }
}
