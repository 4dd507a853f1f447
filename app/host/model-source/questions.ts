import type { TimeRange } from '../../../shared/view/index.ts';

/** By this name a source measures its trace for a comparison, as views answer their questions by their ids. */
export const MEASURING = 'measuring';
/** By this name it measures what takes least; it answers with all where that is kept. */
export const MEASURING_FIRST = 'measuring-first';
/** What of a trace is measured. What it is called is no part of it: that may change. */
export interface MeasuringQuestion {
  readonly range: TimeRange;
}

/** The question of so much, always written alike: answers are kept by their questions. */
export function measuringQuestion({ range }: MeasuringQuestion): MeasuringQuestion {
  return { range: { start: range.start, end: range.end } };
}

/** By this name a source tells the anchors of its trace. */
export const ANCHORING = 'anchoring';
/** By this name a worker of the page compares what was measured. */
export const COMPARING = 'comparing';

/** By this name a source tells the codes of the main reasons of all ready waits, as `etw_ready_wait_reason` has them. */
export const REASONING = 'reasoning';

/** By this name a source builds tables that a trace without columns lacks. */
export const BUILDING = 'building';
