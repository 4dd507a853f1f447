import { connect, workerPort } from '../../shared/border/index.ts';
import type { ReadBatch, TableInfo } from '../../shared/tables/index.ts';
import { OpenError } from '../host/api.ts';
import { messageOf } from '../../shared/model/index.ts';
import type { ColumnsCalls, TableFile } from './columns-protocol.ts';

/** Tables in columns that a worker of the page reads, until {@link PageColumns.close}. */
export interface PageColumns {
  readonly infos: readonly TableInfo[];
  readonly read: ReadBatch;
  close(): void;
}

/** Has a worker open the Arrow files of tables. Rejects for a damaged file. */
export async function openPageColumns(files: readonly TableFile[]): Promise<PageColumns> {
  const port = workerPort(new Worker(new URL('./columns-worker.ts', import.meta.url), { type: 'module' }));
  const worker = connect<ColumnsCalls>(port, {
    gone: (reason) => new OpenError('file', `the worker that reads columns ended: ${reason}`),
  });
  const close = (): void => {
    worker.end(new OpenError('not_open', 'the trace was closed'));
    void port.close();
  };
  try {
    const infos = await worker.call('open', files).catch(refuse);
    return { infos, read: (...which) => worker.call('read', which).catch(refuse), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Throws an error as the page knows it. */
function refuse(error: unknown): never {
  if (error instanceof RangeError || error instanceof OpenError) throw error;
  throw new OpenError('file', messageOf(error));
}
