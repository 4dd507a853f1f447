import { useEffect, useState } from 'preact/hooks';
import { dataOf, TABLE_MODULES, type TableName, type Tables } from '../../shared/tables/index.ts';
import type { Session } from './session.ts';
import { loaded } from './state.ts';
import { tablesProgress } from './tables.ts';

/**
 * What `read` finds in a table of the open trace; null until it has. In columns it is read at once; of a trace without columns once the
 * table is built. `read` must be the same function each time.
 */
export function useRead<T>(
  session: Session,
  table: TableName,
  read: (tables: Tables) => Promise<T>,
): T | null {
  const [found, setFound] = useState<T | null>(null);
  const trace = loaded.value;
  const hasColumns = trace?.opened.tables !== undefined;
  const canRead = hasColumns || tablesProgress.value?.built.has(TABLE_MODULES[table]) === true;
  useEffect(() => {
    let isCurrent = true;
    setFound(null);
    if (trace === null || !canRead) return;
    read(dataOf(session.traceQuery(trace)).tables).then(
      (value) => {
        if (isCurrent) setFound(value);
      },
      // The view that asks at the same time shows why the trace cannot be read.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [session, trace, canRead, read]);
  return found;
}
