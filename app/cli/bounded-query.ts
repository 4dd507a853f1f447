import { GrowingResult, type QueryResult } from '../../shared/engine/index.ts';
import { formatBytes, formatCount } from '../../shared/model/index.ts';
import type { Host, TraceId } from '../host/api.ts';
import { UsageError } from './command.ts';
import { readNumber, readSize } from './store-options.ts';

/** What a query on the command line may take. */
export interface QueryBounds {
  readonly seconds: number;
  readonly rows: number;
  /** Of the engine's answer. */
  readonly bytes: number;
}

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

/** Asks a trace; a query that takes more than it may is ended, and with it the engine. Rejects with a {@link UsageError} then. */
export async function boundedQuery(
  host: Pick<Host, 'queryInParts' | 'close'>,
  id: TraceId,
  sql: string,
  bounds: QueryBounds,
): Promise<QueryResult> {
  const { seconds, rows, bytes } = bounds;
  const result = new GrowingResult(rows);
  const exceeded: string[] = [];
  let sizeBytes = 0;
  const stop = (why: string): void => {
    exceeded.push(why);
    void host.close(id).catch(() => undefined);
  };
  const tooLong = `the query ran for longer than ${seconds} s and was ended: --max-seconds changes the bound`;
  const timer = seconds === Infinity ? undefined : setTimeout(() => stop(tooLong), seconds * 1000);
  const take = (part: Uint8Array): void => {
    if (exceeded.length > 0) return;
    sizeBytes += part.length;
    if (sizeBytes <= bytes) result.push(part);
    else
      stop(
        `the answer is larger than ${formatBytes(bytes)}, and the query was ended: --max-bytes changes the bound`,
      );
    if (result.leftOut !== null)
      stop(`the query gives more than ${formatCount(rows)} rows and was ended: --max-rows changes the bound`);
  };
  const failed = await host.queryInParts(id, sql, take).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  clearTimeout(timer);
  const [why] = exceeded;
  if (why !== undefined) throw new UsageError(why);
  if (failed !== null) throw failed.error;
  return result;
}
