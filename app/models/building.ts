import * as v from 'valibot';
import { TableBuilder, type Query } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';

const building = v.object({ modules: v.array(v.string()) });

/** Modules of the package `etw` whose tables a trace without columns needs. The question may come from outside the process. */
export type BuildingQuestion = v.InferOutput<typeof building>;

/** Builds the tables of modules; of a trace with columns none are needed. Says whether it built any. */
export async function build(query: Query, question: unknown): Promise<boolean> {
  const { modules } = v.parse(building, question);
  if (dataOf(query).hasColumns) return false;
  await new TableBuilder(query, () => undefined).need(modules);
  return true;
}
