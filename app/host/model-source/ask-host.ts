import type { ReadBatch } from '../../../shared/tables/index.ts';
import type { Host, TraceId } from '../api.ts';

/** What is asked of a trace: SQL on all of it or on its outline, or columns of a batch of a table. */
export type Wish =
  | {
      readonly kind: 'sql';
      readonly sql: string;
      readonly of: 'whole' | 'outline';
    }
  | {
      readonly kind: 'table';
      readonly which: Parameters<ReadBatch>;
    };

/** Asks a trace until the signal is aborted, and gives the answer's own bytes, which are then no longer the caller's. */
export type AskBytes = (wish: Wish, signal: AbortSignal | undefined) => Promise<Uint8Array>;

/** Asks an open trace of a host what a model wishes for; the answer's own bytes. */
export function askHost(
  host: Pick<Host, 'query' | 'queryOutline' | 'readTable'>,
  id: TraceId,
  wish: Wish,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  if (wish.kind === 'table') return host.readTable(id, ...wish.which);
  return wish.of === 'outline' ? host.queryOutline(id, wish.sql, signal) : host.query(id, wish.sql, signal);
}
