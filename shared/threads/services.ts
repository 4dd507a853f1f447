import { oncePerTrace } from '../engine/index.ts';
import { numberAt, textAt, type Tables } from '../tables/index.ts';

/** The service that each thread worked for last, by utid; none where services were not recorded. */
export const loadServices = oncePerTrace(async (tables: Tables): Promise<ReadonlyMap<number, string>> => {
  const names = new Map<string, string | null>();
  const keyOf = (pid: number | null, tag: number | null) => `${pid ?? ''} ${tag ?? ''}`;
  for await (const { rowCount, columns } of tables.batches('etw_service', ['pid', 'sub_process_tag', 'name']))
    for (let row = 0; row < rowCount; row++) {
      const key = keyOf(numberAt(columns.pid, row), numberAt(columns.sub_process_tag, row));
      if (!names.has(key)) names.set(key, textAt(columns.name, row));
    }
  const services = new Map<number, string>();
  if (names.size === 0) return services;
  for await (const { rowCount, columns } of tables.batches('etw_thread', ['utid', 'pid', 'sub_process_tag']))
    for (let row = 0; row < rowCount; row++) {
      const [pid, tag] = [numberAt(columns.pid, row), numberAt(columns.sub_process_tag, row)];
      const name = tag === null || tag === 0 ? null : (names.get(keyOf(pid, tag)) ?? null);
      if (name !== null) services.set(columns.utid.values[row] ?? 0, name);
    }
  return services;
});
