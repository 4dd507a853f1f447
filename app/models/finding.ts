import * as v from 'valibot';
import type { Query } from '../../shared/engine/index.ts';
import { runShippedRules, type ToldFindings } from '../../shared/findings/index.ts';

const time = v.pipe(v.number(), v.finite());
const finding = v.object({ range: v.object({ start: time, end: time }) });

/** What the rules that come with Outrank find. The question may come from outside the process. */
export async function findShipped(query: Query, question: unknown): Promise<ToldFindings> {
  return runShippedRules(query, v.parse(finding, question).range);
}
