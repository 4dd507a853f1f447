import { OpenError } from '../host/api.ts';
import type { ReadBatch, TableInfo } from '../../shared/tables/index.ts';
import type { FromColumns, TableFile, ToColumns } from './columns-protocol.ts';

interface Waiting {
  readonly resolve: (answer: FromColumns) => void;
  readonly reject: (error: Error) => void;
}

/** Tables in columns that a worker of the page reads, until {@link PageColumns.close}. */
export interface PageColumns {
  readonly infos: readonly TableInfo[];
  readonly read: ReadBatch;
  close(): void;
}

/** Has a worker open the Arrow files of tables. Rejects for a damaged file. */
export async function openPageColumns(files: readonly TableFile[]): Promise<PageColumns> {
  const worker = new Worker(new URL('./columns-worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, Waiting>();
  let next = 0;
  let gone: Error | null = null;

  const end = (why: Error): void => {
    gone = why;
    worker.terminate();
    for (const { reject } of waiting.values()) reject(why);
    waiting.clear();
  };
  worker.onerror = ({ message }) =>
    end(new OpenError('file', message || 'the worker that reads columns cannot be started'));
  worker.onmessage = ({ data }: MessageEvent<FromColumns>) => {
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if (!('message' in data)) call?.resolve(data);
    else call?.reject(data.isRange ? new RangeError(data.message) : new OpenError('file', data.message));
  };
  function ask(make: (id: number) => ToColumns): Promise<FromColumns> {
    const id = next++;
    return new Promise((resolve, reject) => {
      if (gone !== null) {
        reject(gone);
        return;
      }
      waiting.set(id, { resolve, reject });
      worker.postMessage(make(id));
    });
  }

  try {
    const opened = await ask((id) => ({ call: 'open', id, files }));
    return {
      infos: 'infos' in opened ? opened.infos : [],
      read: async (...which) => {
        const answer = await ask((id) => ({ call: 'read', id, which }));
        return 'bytes' in answer ? answer.bytes : new Uint8Array(0);
      },
      close: () => end(new OpenError('not_open', 'the trace was closed')),
    };
  } catch (error) {
    worker.terminate();
    throw error;
  }
}
