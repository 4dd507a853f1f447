import { GrowingResult, type QueryResult } from '../../shared/engine/index.ts';
import { formatBytes, formatCount } from '../../shared/model/index.ts';
import { withNearestTable } from '../../shared/sql-file/index.ts';
import type { Host, TraceId } from '../host/api.ts';
import { QuestionError } from './question-error.ts';

/** What a query may take. */
export interface QueryBounds {
  readonly seconds: number;
  readonly rows: number;
  /** Of the engine's answer. */
  readonly bytes: number;
}

/** A query that was ended, since it took more than it may. */
export class BoundError extends QuestionError {
  constructor(
    readonly bound: keyof QueryBounds,
    message: string,
  ) {
    super(message);
  }
}

/** Asks a trace; a query that takes more than it may is ended, and with it the engine. Rejects with a {@link BoundError} then. */
export async function boundedQuery(
  host: Pick<Host, 'queryInParts' | 'close'>,
  id: TraceId,
  sql: string,
  bounds: QueryBounds,
): Promise<QueryResult> {
  const { seconds, rows, bytes } = bounds;
  const result = new GrowingResult(rows);
  const exceeded: BoundError[] = [];
  let sizeBytes = 0;
  const stop = (bound: keyof QueryBounds, why: string): void => {
    exceeded.push(new BoundError(bound, why));
    void host.close(id).catch(() => undefined);
  };
  const tooLong = `the query ran for longer than ${seconds} s and was ended`;
  const timer = seconds === Infinity ? undefined : setTimeout(() => stop('seconds', tooLong), seconds * 1000);
  const take = (part: Uint8Array): void => {
    if (exceeded.length > 0) return;
    sizeBytes += part.length;
    if (sizeBytes <= bytes) result.push(part);
    else stop('bytes', `the answer is larger than ${formatBytes(bytes)}, and the query was ended`);
    if (result.leftOut !== null)
      stop('rows', `the query gives more than ${formatCount(rows)} rows and was ended`);
  };
  const failed = await host.queryInParts(id, sql, take).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  clearTimeout(timer);
  const [why] = exceeded;
  if (why !== undefined) throw why;
  if (failed !== null) throw withNearestTable(failed.error);
  return result;
}
