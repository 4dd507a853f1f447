import { measuredOf, measureOpen, type Measured, type PlainMeasured } from '../../shared/compare/index.ts';
import type { Query, TablesProgress } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { MEASURING, type MeasuringQuestion } from '../models/index.ts';

/** What a range of a trace holds, to be compared; kept beside the trace where measuring takes long. */
export async function measureTrace(
  query: Query,
  question: MeasuringQuestion,
  onTables: (progress: TablesProgress) => void,
): Promise<Measured> {
  const { askBeside } = dataOf(query);
  const { name, range } = question;
  if (askBeside === null) return measureOpen(query, name, range, onTables);
  return measuredOf((await askBeside(MEASURING, question)) as PlainMeasured);
}
