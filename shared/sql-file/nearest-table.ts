import { EngineError } from '../engine/index.ts';
import { nearestName } from '../model/index.ts';
import { publicNames } from '../sql/modules.ts';

/** An error of SQL that names a table which there is not, with the table of Outrank that was most likely meant; any other as it is. */
export function withNearestTable(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  const [, missing = ''] = /^no such table: (\w+)$/.exec(error.message) ?? [];
  const near = nearestName(missing, publicNames);
  // A folder of tables may lack one that a trace has.
  if (near === null || near === missing) return error;
  return new EngineError(error.kind, `${error.message}: did you mean ${near}?`, error.place);
}
