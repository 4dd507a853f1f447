import type { LakeFilter } from '../../../shared/lake/index.ts';
import { literal } from '../lake/duckdb.ts';

/** The condition of SQL on a row of `trace` that a filter stands for. */
export function conditionOf({ machine, model, os_build, from, to, tags = {} }: LakeFilter): string {
  const conditions = [
    'true',
    ...(machine === undefined ? [] : [`starts_with(machine_key, ${literal(machine)})`]),
    ...(model === undefined ? [] : [`machine_model = ${literal(model)}`]),
    ...(os_build === undefined ? [] : [`os_build = ${os_build}`]),
    ...(from === undefined ? [] : [`"date" >= DATE ${literal(from)}`]),
    ...(to === undefined ? [] : [`"date" <= DATE ${literal(to)}`]),
    ...Object.entries(tags).map(
      ([name, value]) =>
        `trace_id IN (SELECT trace_id FROM tag WHERE name = ${literal(name)} AND value = ${literal(value)})`,
    ),
  ];
  return conditions.join(' AND ');
}
