import {
  measuredOf,
  measureOpen,
  type Anchor,
  type Measured,
  type MeasureRequest,
  type PlainMeasured,
} from '../../shared/compare/index.ts';
import type { Query, TablesProgress } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { anchor } from '../models/anchoring.ts';
import { ANCHORING, MEASURING, measuringQuestion } from '../host/model-source/index.ts';
import type { AnchoringQuestion } from '../models/index.ts';

/** What a range of a trace holds, to be compared. The trace's host keeps it where measuring takes long. */
export async function measureTrace(
  query: Query,
  request: MeasureRequest,
  onTables: (progress: TablesProgress) => void,
): Promise<Measured> {
  const { askBeside } = dataOf(query);
  if (askBeside === null) return measureOpen(query, request, onTables);
  const plain = (await askBeside(MEASURING, measuringQuestion(request))) as PlainMeasured;
  return measuredOf({ ...plain, name: request.name });
}

/** The anchors of a trace, by which ranges can be told; kept like what was measured. */
export async function anchorsOfTrace(query: Query, question: AnchoringQuestion): Promise<readonly Anchor[]> {
  const { askBeside } = dataOf(query);
  if (askBeside === null) return anchor(query, question);
  return (await askBeside(ANCHORING, question)) as readonly Anchor[];
}
