import type { QueryResult } from '../../shared/engine/index.ts';
import type { Host, TraceId } from '../host/api.ts';
import { BoundError, boundedQuery as ask, type QueryBounds } from '../questions/bounded-query.ts';
import { UsageError } from './command.ts';
import { readNumber, readSize } from './store-options.ts';

/** The options that change the bounds, as `parseArgs` takes them: those of the team server are the defaults. */
export const BOUND_OPTIONS = {
  'max-seconds': { type: 'string', default: '300' },
  'max-rows': { type: 'string', default: '10000000' },
  'max-bytes': { type: 'string', default: '256MiB' },
} as const;

/** The same, for the help. */
export const BOUND_DETAILS: readonly string[] = [
  '--max-seconds N      a query that runs for longer is ended (default: 300; 0: no bound)',
  '--max-rows N         one that gives more rows (default: 10000000; 0: no bound)',
  '--max-bytes SIZE     one whose answer is larger, such as 1GiB (default: 256MiB; 0B: no bound)',
];

/** Reads the values of the options; throws a `UsageError`. */
export function readBounds(values: Readonly<Record<keyof typeof BOUND_OPTIONS, string>>): QueryBounds {
  const bound = (value: number): number => (value === 0 ? Infinity : value);
  return {
    seconds: bound(readNumber('max-seconds', values['max-seconds'], 1e6)),
    rows: bound(readNumber('max-rows', values['max-rows'], 1e9)),
    bytes: bound(readSize('max-bytes', values['max-bytes'])),
  };
}

/** Asks a trace within bounds. Rejects with a {@link UsageError} that names the option where one was exceeded. */
export async function boundedQuery(
  host: Pick<Host, 'queryInParts' | 'close'>,
  id: TraceId,
  sql: string,
  bounds: QueryBounds,
): Promise<QueryResult> {
  return namingBound(() => ask(host, id, sql, bounds));
}

/** Names the option that changes a bound which was exceeded. */
export async function namingBound<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BoundError)) throw error;
    throw new UsageError(`${error.message}: --max-${error.bound} changes the bound`);
  }
}
