import { expect } from 'vitest';
import { queryOf } from '../engine/testing/start.ts';
import type { TraceWriter } from '../engine/testing/trace-writer.ts';
import type { Findings, RuleFile } from './index.ts';
import { runRules, shippedRules } from './index.ts';

/** When the tests' traces start, in ns. */
export const START = 1_000_000_000;
export const MS = 1_000_000;

/** What rules find in a trace that ends at `end_ts`, in a real engine. Fails where drawn rows differ from those of the SELECT. */
export async function findIn(
  trace: TraceWriter,
  end_ts: number,
  rules: readonly RuleFile[],
): Promise<Findings> {
  const [query, range] = [await queryOf(trace), { start: START, end: end_ts }];
  const asked = await runRules(query, rules, range, undefined, false);
  expect(await runRules(query, rules, range, undefined, true)).toEqual(asked);
  return asked;
}

/** What one of the shipped rules finds: for each finding the seconds lost and the sentence. Fails if the rule does not run. */
export async function found(
  id: string,
  trace: TraceWriter,
  end_ts: number,
): Promise<(readonly [number, string])[]> {
  const rule = shippedRules.filter(({ name }) => name === `${id}.sql`);
  const { findings, checked, not_checked, failed } = await findIn(trace, end_ts, rule);
  if (checked.length !== 1) throw new Error(JSON.stringify({ rule: id, not_checked, failed }));
  return findings.map(({ seconds_lost, sentence }) => [seconds_lost, sentence]);
}
