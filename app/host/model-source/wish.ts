import type { ReadBatch } from '../../../shared/tables/index.ts';

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
