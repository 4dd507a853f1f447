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
  kind: v.literal('measure'),
  name: v.string(),
  range: v.object({ start: time, end: time }),
});

/** What is asked for a comparison: what a range of the trace holds, or what changed between two that were measured. */
export type ComparingQuestion =
  | v.InferOutput<typeof measuring>
  | {
      readonly kind: 'compare';
      readonly a: PlainMeasured;
      readonly b: PlainMeasured;
      readonly ties: readonly Tie[];
    };

/** Answers a question of a comparison. Measuring may be asked from outside the process; comparing is asked by the page itself. */
export async function answerComparing(query: Query, question: unknown): Promise<PlainMeasured | Comparison> {
  const asked = question as ComparingQuestion;
  if (asked.kind === 'compare')
    return compareTraces([measuredOf(asked.a)], [measuredOf(asked.b)], { ties: asked.ties });
  const { name, range } = v.parse(measuring, question);
  return plainOf(await measureOpen(query, name, range, () => undefined));
}
