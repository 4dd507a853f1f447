import type { ViewTable } from '../../shared/view/index.ts';
import { column, columns, makeTable, type Column } from '../kit/index.ts';
import type { BlameModel, BlameRow } from './load.ts';
import type { BlameParams } from './params.ts';

const TITLES: Readonly<Record<BlameParams['by'], string>> = {
  thread: 'Threads for which others waited',
  process: 'Processes for which others waited',
  service: 'Services for which others waited',
  driver: 'Drivers for which others waited',
  module: 'Modules for which others waited',
  knot: 'Threads that wait only for each other',
};

const WAITS = column(
  'waits_ns',
  'Others waited',
  'duration_ns',
  'How long others waited, all of them together.',
);
const ACTIVE = column('active_ns', 'It was active', 'duration_ns', 'Of that: while it ran or was ready.');
const BLOCKED = column(
  'blocked_ns',
  'It was blocked',
  'duration_ns',
  'Of that: while it was blocked itself, for a disk, a timer or an interrupt.',
);
const RAN = { ...columns.ran_ns, help: 'The CPU time that it used itself, waited for or not.' };
const WHAT: Readonly<Record<BlameParams['by'], string>> = {
  thread: 'Thread',
  process: 'Process',
  service: 'Service',
  driver: 'Driver',
  module: 'Module',
  knot: 'Threads',
};
const WITHIN = column(
  'within_ns',
  'Within',
  'duration_ns',
  'How long they waited for each other.',
  (row: BlameRow) => row.within_ns ?? null,
);

const HANDLE = column(
  'handle',
  'Handle',
  'text',
  'A short name of the thread in this trace.',
  (row: BlameRow) => row.handle ?? null,
);

const SUMS: Partial<Record<BlameParams['by'], readonly Column<BlameRow>[]>> = {
  thread: [WAITS, ACTIVE, BLOCKED, RAN, HANDLE],
  driver: [WAITS, RAN],
  module: [WAITS, RAN],
  knot: [WITHIN, WAITS, RAN],
};

/** What others waited for. */
export const blameTables = ({ by, rows }: BlameModel): readonly [ViewTable] => {
  const what = column('label', WHAT[by], 'text', 'What others waited for.', (row: BlameRow) => row.label);
  return [makeTable(TITLES[by], [what, ...(SUMS[by] ?? [WAITS, ACTIVE, BLOCKED, RAN])], rows)];
};
