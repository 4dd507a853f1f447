import type { Query } from '../engine/index.ts';
import { dataOf } from '../tables/index.ts';
import { loadProcesses, loadThreadNames, processLabel, threadLabel } from '../threads/index.ts';

/** What the keys in a column of threads or processes are called; null for a column of neither. */
export async function loadLabels(query: Query, column: string): Promise<ReadonlyMap<number, string> | null> {
  if (/^(\w+_)?utid$/.test(column)) {
    const threads = await loadThreadNames(dataOf(query).tables);
    return new Map([...threads].map(([utid, thread]) => [utid, threadLabel(thread)]));
  }
  if (!/^(\w+_)?upid$/.test(column)) return null;
  const processes = await loadProcesses(dataOf(query).tables);
  return new Map([...processes].map(([upid, process]) => [upid, processLabel(process)]));
}
