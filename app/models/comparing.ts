import * as v from 'valibot';
import {
  compareTraces,
  measuredOf,
  measureOpen,
  plainOf,
  type Comparison,
  type PlainMeasured,
  type Tie,
} from '../../shared/compare/index.ts';
import type { Query } from '../../shared/engine/index.ts';

const time = v.pipe(v.number(), v.finite());
const measuring = v.object({
  name: v.string(),
  range: v.object({ start: time, end: time }),
  isOneOfMany: v.boolean(),
});

/** What of a trace is measured. It may come from outside the process. */
export type MeasuringQuestion = v.InferOutput<typeof measuring>;

/** What was measured of both sides, of each trace. */
export interface ComparingQuestion {
  readonly a: readonly PlainMeasured[];
  readonly b: readonly PlainMeasured[];
  readonly ties: readonly Tie[];
}

/** What a range of the trace holds. */
export async function measure(query: Query, question: unknown): Promise<PlainMeasured> {
  return plainOf(await measureOpen(query, v.parse(measuring, question), () => undefined));
}

/** What changed between two that were measured. The page asks it of its own worker alone, so that the question is whole. */
export function compare({ a, b, ties }: ComparingQuestion): Comparison {
  return compareTraces(a.map(measuredOf), b.map(measuredOf), { ties });
}
