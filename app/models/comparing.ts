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
import type { MeasuringQuestion } from '../host/model-source/index.ts';

const time = v.pipe(v.number(), v.finite());
/** It may come from outside the process. */
const measuring: v.GenericSchema<MeasuringQuestion> = v.object({
  range: v.object({ start: time, end: time }),
});

/** What was measured of both sides, of each trace. */
export interface ComparingQuestion {
  readonly a: readonly PlainMeasured[];
  readonly b: readonly PlainMeasured[];
  readonly ties: readonly Tie[];
}

/** What a range of the trace holds, or what of it is measured first; who asked knows what the trace is called. */
export async function measure(
  query: Query,
  question: unknown,
  part: 'all' | 'first',
): Promise<PlainMeasured> {
  const request = { name: '', ...v.parse(measuring, question) };
  return plainOf(await measureOpen(query, request, () => undefined, part));
}

/** What changed between two that were measured. The page asks it of its own worker alone, so that the question is whole. */
export function compare({ a, b, ties }: ComparingQuestion): Comparison {
  return compareTraces(a.map(measuredOf), b.map(measuredOf), { ties });
}
