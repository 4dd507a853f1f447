import type { ViewTable } from '../../shared/view/index.ts';
import {
  bucketColumn,
  bucketTable,
  column,
  columns,
  makeTable,
  withoutColumns,
  type Column,
  type DurationBin,
} from '../kit/index.ts';
import type { Io, IoGroup, IoModel, IoOthers, IoSummary, IoWait } from './model.ts';

type Listed = Io & { readonly wait: IoWait | null; readonly others: IoOthers | null };

/** The last part of a path, which is what tells paths apart. */
function fileName(path: string | null): string | null {
  return path?.slice(path.lastIndexOf('\\') + 1) ?? null;
}

const IO_COLUMNS: readonly Column<Listed>[] = [
  column('ts', 'Start', 'time_ns', 'When it was issued, from the trace’s start.'),
  column('dur', 'Took', 'duration_ns', 'From issue to end. –: its end was not recorded.'),
  column(
    'waited_ns',
    'Thread waited',
    'duration_ns',
    'How long its own thread was blocked until this I/O ended. –: none of its waits ended with it, or that was not recorded.',
    ({ wait }) => (wait === null ? null : wait.ready_ts - wait.ts),
  ),
  column(
    'others',
    'Others readied',
    'count',
    'Other threads that had blocked while it was under way, and were readied as it ended: they may have waited for the same.',
    ({ others }) => others?.count ?? null,
  ),
  column('kind', 'Kind', 'text', 'What was done.'),
  column('size_bytes', 'Size', 'bytes', 'How much was moved.'),
  column('file', 'File', 'text', 'The last part of its path.', ({ path }) => fileName(path)),
  { ...columns.process, help: 'The process that asked for it. –: not known.' },
  columns.pid,
  { ...columns.tid, help: 'The id of the thread that asked for it.' },
  column(
    'ready_ns',
    'Then ready',
    'duration_ns',
    'From the ready event that ended the wait to the switch-in.',
    ({ wait }) => (wait?.run_ts == null ? null : wait.run_ts - wait.ready_ts),
  ),
  column('readied_by', 'Readied by', 'text', 'Who ended the wait.', ({ wait }) => wait?.readied_by ?? null),
];

const DISK_COLUMNS: readonly Column<Listed>[] = [
  column('disk', 'Disk', 'text', 'Number of the disk.'),
  column('priority', 'I/O priority', 'text', 'The priority of the request. –: none was set.'),
];

const PATH: Column<Listed> = column(
  'path',
  'Path',
  'text',
  'The file, as Windows names it. –: the recording has no name.',
);

const STATUS: Column<Listed> = column('status', 'Status', 'text', 'How it ended (NTSTATUS). 0x0 is success.');

const SUM_COLUMNS = [
  column('read_bytes', 'Read', 'bytes', 'How much was read.'),
  column('written_bytes', 'Written', 'bytes', 'How much was written.'),
  column('sum_ns', 'All together', 'duration_ns', 'The sum of their durations.'),
  columns.p50_ns,
  columns.p90_ns,
  columns.p99_ns,
  columns.max_ns,
] as const;

const SUMMARY_COLUMNS: readonly Column<IoSummary>[] = [
  column('count', 'I/Os', 'count', 'How many pass the filters.'),
  column('ended', 'With an end', 'count', 'How many of them have a recorded end.'),
  ...SUM_COLUMNS,
];

const GROUP_COLUMNS: readonly Column<IoGroup>[] = [
  column('count', 'I/Os', 'count', 'How many.'),
  ...SUM_COLUMNS,
];

const BAR_COLUMNS: readonly Column<DurationBin>[] = [
  columns.from_ns,
  columns.to_ns,
  column('count', 'I/Os', 'count', 'How many took so long.'),
];

/** The listed I/Os. */
export function iosTable({ ios, waits, others, source }: IoModel): ViewTable {
  const own = source === 'disk' ? DISK_COLUMNS : source === 'file' ? [STATUS] : [];
  const rows = ios.map((io, row) => ({ ...io, wait: waits?.[row] ?? null, others: others?.[row] ?? null }));
  return makeTable('Longest I/O', [...IO_COLUMNS, ...own, PATH], rows);
}

/** Sums by process. */
export function processTable({ processes }: IoModel): ViewTable {
  const name = column<IoGroup>('process', 'Process', 'text', 'Who asked. –: not known.', (row) => row.name);
  return makeTable('By process', [name, ...GROUP_COLUMNS], processes);
}

/** Sums by path. */
export function pathTable({ paths }: IoModel): ViewTable {
  const name = column<IoGroup>(
    'path',
    'Path',
    'text',
    'The file. –: it has no name in the recording.',
    (row) => row.name,
  );
  const file = column<IoGroup>('file', 'File', 'text', 'The last part of the path.', (row) =>
    fileName(row.name),
  );
  return makeTable('By path', [file, ...GROUP_COLUMNS, name], paths);
}

/** Sums by disk and kind. */
export function kindTable({ kinds, source }: IoModel): ViewTable {
  const name = column<IoGroup>('kind', 'Kind', 'text', 'What was done.', (row) => row.name);
  const disk = column('disk', 'Disk', 'text', 'Number of the disk.');
  const title = source === 'disk' ? 'By disk and kind' : 'By kind';
  return makeTable(title, [...(source === 'disk' ? [disk] : []), name, ...GROUP_COLUMNS], kinds);
}

/** One row a bucket of time. */
function rateTable({ edges, lines, depths }: IoModel): ViewTable {
  const depth_help = 'How many were under way, the mean of the bucket (queue depth).';
  return bucketTable('I/O over time', edges, [
    ...lines.flatMap(({ label, counts, size_bytes }, index) => [
      bucketColumn(`count_${index}`, label, 'count', 'How many ended in it.', counts),
      bucketColumn(`bytes_${index}`, `${label}, bytes`, 'bytes', 'How much they moved.', size_bytes),
    ]),
    ...depths.map(({ label, values }, index) =>
      bucketColumn(`depth_${index}`, `${label}, under way`, 'number', depth_help, values),
    ),
  ]);
}

/** What a window has room for: tables without these columns, which the key T shows. */
const NO_ROOM: readonly string[] = ['p50_ns', 'p90_ns', 'path'];
const OF_WAITS: readonly string[] = ['waited_ns', 'others', 'ready_ns', 'readied_by'];
const BESIDE_WAITS: readonly string[] = ['pid', 'ready_ns', 'readied_by', 'disk', 'priority'];
/** Characters of a path that are shown in a window. */
const PATH_CHARACTERS = 44;

/** The table by process, for a window. */
export function shownProcesses(model: IoModel): ViewTable {
  return withoutColumns(processTable(model), NO_ROOM);
}

/** The table by path, for a window: ends of paths instead of their last parts, which can be the same. */
export function shownPaths(model: IoModel): ViewTable {
  const table = withoutColumns(pathTable(model), NO_ROOM);
  const ends = model.paths.map(({ name }) => endOfPath(name, PATH_CHARACTERS));
  return { ...table, rows: table.rows.map(([, ...numbers], row) => [ends[row] ?? null, ...numbers]) };
}

/**
 * The listed I/Os, for a window. Where no wait is known, they have no columns of waits. Otherwise they lack the columns that the chosen
 * I/O and other tables show.
 */
export function shownIos(model: IoModel): ViewTable {
  const hasWaits = model.waits?.some((wait) => wait !== null) === true;
  return withoutColumns(iosTable(model), ['path', ...(hasWaits ? BESIDE_WAITS : OF_WAITS)]);
}

/** As many last parts of a path as fit. */
export function endOfPath(path: string | null, characters: number): string | null {
  if (path === null || path.length <= characters) return path;
  const at = path.indexOf('\\', path.length - characters + 1);
  return `…${path.slice(at === -1 ? path.lastIndexOf('\\') : at)}`;
}

/** Everything the view draws. */
export function ioTables(model: IoModel): readonly ViewTable[] {
  return [
    iosTable(model),
    makeTable('All I/O', SUMMARY_COLUMNS, [model.summary]),
    processTable(model),
    pathTable(model),
    kindTable(model),
    makeTable('I/O by duration', BAR_COLUMNS, model.histogram),
    rateTable(model),
  ];
}
