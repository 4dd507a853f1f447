import {
  measuredOf,
  measureOpen,
  type Anchor,
  type Measured,
  type PlainMeasured,
} from '../../shared/compare/index.ts';
import type { Query, TablesProgress } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { anchor } from '../models/anchoring.ts';
import { ANCHORING, MEASURING, type AnchoringQuestion, type MeasuringQuestion } from '../models/index.ts';

/** What a range of a trace holds, to be compared; kept beside the trace where measuring takes long. */
export async function measureTrace(
  query: Query,
  question: MeasuringQuestion,
  onTables: (progress: TablesProgress) => void,
): Promise<Measured> {
  const { askBeside } = dataOf(query);
  if (askBeside === null) return measureOpen(query, question, onTables);
  return measuredOf((await askBeside(MEASURING, question)) as PlainMeasured);
}

/** The anchors of a trace, by which ranges can be told; kept like what was measured. */
export async function anchorsOfTrace(query: Query, question: AnchoringQuestion): Promise<readonly Anchor[]> {
  const { askBeside } = dataOf(query);
  if (askBeside === null) return anchor(query, question);
  return (await askBeside(ANCHORING, question)) as readonly Anchor[];
}
