import { parseArgs } from 'node:util';
import { BLAMED_BY, loadBlamed, type Blamed, type BlamedBy } from '../../shared/causes/index.ts';
import { formatDuration } from '../../shared/model/index.ts';
import { boundsOf, loadRecording } from '../../shared/recording/index.ts';
import { neededBy } from '../../views/blame/params.ts';
import type { Host, OpenTrace } from '../host/api.ts';
import { hostQuery } from '../host/host-query.ts';
import { choice, only, UsageError, type Command } from './command.ts';
import { versionedJson } from './json.ts';
import { alignedTable } from './rows.ts';
import { summaryOf, withTrace } from './session.ts';
import { print, printData } from './terminal.ts';
import { readRange } from './time.ts';

const SORTS = {
  active: ({ active_ns }: Blamed) => active_ns,
  waits: waitsOf,
  cpu: ({ ran_ns }: Blamed) => ran_ns,
} as const;

type Column = readonly [title: string, of: (blamed: Blamed) => number];

const THREAD_COLUMNS: readonly Column[] = [
  ['others waited', waitsOf],
  ['it ran or was ready', ({ active_ns }) => active_ns],
  ['it was blocked', ({ blocked_ns }) => blocked_ns],
  ['its CPU time', ({ ran_ns }) => ran_ns],
];

const COLUMNS: Partial<Record<BlamedBy, readonly Column[]>> = {
  driver: [
    ['others waited', waitsOf],
    ['its DPCs and interrupts', ({ ran_ns }) => ran_ns],
  ],
  module: [
    ['others waited', waitsOf],
    ['its CPU time', ({ ran_ns }) => ran_ns],
  ],
  knot: [
    ['waited for each other', ({ within_ns = 0 }) => within_ns],
    ['others waited', waitsOf],
    ['their CPU time', ({ ran_ns }) => ran_ns],
  ],
};

/** What is said where there is none. */
const NOTHING: Partial<Record<BlamedBy, string>> = {
  driver: 'No DPC and no interrupt ended a wait.\n',
  module: 'The trace has no samples.\n',
  knot: 'No threads wait only for each other.\n',
};

function waitsOf({ active_ns, blocked_ns }: Blamed): number {
  return active_ns + blocked_ns;
}

/** `outrank blame`: who made others wait. */
export const blame: Command = {
  name: 'blame',
  usage:
    'TRACE [--by thread|process|service|driver|module|knot] [--sort active|waits|cpu] [--limit N] [--from TIME] [--to TIME] [--format text|json]',
  summary:
    'print how long others waited for each thread, process, service or driver, against the CPU time that it used',
  details: [
    '--by G               thread (default), process, service, driver (whose DPCs and interrupts ended waits), module (whose',
    '                     code ran meanwhile, by samples), or knot (threads that wait only for each other)',
    '--sort S             active (default): the time that others waited while it ran or was ready; waits: also while it',
    '                     was blocked itself; cpu: the CPU time that it used',
    '--limit N            how many are printed (default: 30)',
    '--from, --to TIME    only this time: 30.3s, 500ms, 20us from the start, or ns on the trace clock',
    '--format F           text (default), json (docs/formats.md)',
    'docs/explain.md says what counts.',
  ],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        by: { type: 'string', default: 'thread' },
        sort: { type: 'string', default: 'active' },
        limit: { type: 'string', default: '30' },
        from: { type: 'string' },
        to: { type: 'string' },
        format: { type: 'string', default: 'text' },
      },
    });
    const path = only(positionals, 'TRACE');
    const by = choice('by', values.by, BLAMED_BY);
    const sort = SORTS[choice('sort', values.sort, ['active', 'waits', 'cpu'])];
    const format = choice('format', values.format, ['text', 'json']);
    if (!/^[1-9]\d{0,8}$/.test(values.limit))
      throw new UsageError(`--limit takes a count, not "${values.limit}"`);
    const show = async (host: Host, opened: OpenTrace): Promise<void> => {
      const query = hostQuery(host, opened);
      const trace = summaryOf(opened, path, 'no thread waits in it');
      const range = readRange(trace.range, values.from, values.to);
      const blamed = await loadBlamed(query, range, by);
      blamed.sort((a, b) => sort(b) - sort(a) || waitsOf(b) - waitsOf(a));
      const shown = blamed.slice(0, Number(values.limit));
      if (format === 'json') {
        await printData([versionedJson({ rows: shown.map(asJson) })]);
        return;
      }
      const { unrecorded } = await loadRecording(query, neededBy(by), boundsOf(range));
      await print(unrecorded === null ? asText(shown, blamed.length, by) : [`${unrecorded}\n`]);
    };
    return withTrace(path, show, { columns: true });
  },
};

const asJson = ({ keys, active_ns, blocked_ns, ran_ns }: Blamed) => ({
  ...keys,
  ...{ active_ns, blocked_ns, ran_ns },
});

function asText(shown: readonly Blamed[], all: number, by: BlamedBy): string[] {
  if (all === 0) return [NOTHING[by] ?? 'No thread waited for another.\n'];
  const columns = COLUMNS[by] ?? THREAD_COLUMNS;
  const cells = shown.map((each) => [
    ...columns.map(([, of]) => formatDuration(of(each))),
    [each.label, each.handle ?? ''].join('  ').trimEnd(),
  ]);
  const header = [...columns.map(([title]) => title), by];
  const rest = all > shown.length ? [`\n${all - shown.length} more are not listed.\n`] : [];
  return [...alignedTable(header, cells, (column) => column < columns.length), ...rest];
}
