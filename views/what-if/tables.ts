import type { ViewTable } from '../../shared/view/index.ts';
import { column, makeTable, type Column } from '../kit/index.ts';
import type { Tried, WhatIfModel } from './load.ts';

const COLUMNS: readonly Column<Tried>[] = [
  column('change', 'Change', 'text', 'The one thing that is another than recorded.'),
  column(
    'estimate_ns',
    'Ready',
    'duration_ns',
    'How long the threads would have been ready without running.',
  ),
  column('error_ns', '±', 'duration_ns', 'The estimate may be off by about so much.'),
  column(
    'saved_ns',
    'Saved',
    'duration_ns',
    'How much less than recorded that is.',
    ({ recorded_ns, estimate_ns }) => recorded_ns - estimate_ns,
  ),
  column('share', 'Of the wait', 'share', 'The estimate as a part of what was recorded.', (row) =>
    row.recorded_ns > 0 ? row.estimate_ns / row.recorded_ns : null,
  ),
];

/** What would have become of the waits, by change. */
export const whatIfTables = ({ tried }: WhatIfModel): readonly [ViewTable] => [
  makeTable('What would have helped', COLUMNS, tried ?? []),
];
