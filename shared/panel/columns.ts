import type { Cell } from '../engine/index.ts';
import type { Header } from '../sql-file/index.ts';
import type { ViewColumn } from '../view/index.ts';

/** The kinds of columns as a header names them. */
const KINDS = {
  text: 'text',
  count: 'count',
  number: 'number',
  duration: 'duration_ns',
  time: 'time_ns',
  bytes: 'bytes',
  share: 'share',
} as const;

const COLUMN = /^(\w+) ([a-z]+)(?:: (.+))?$/;

/** What a column holds by its name, as the tables of `etw` name theirs. */
const NAMED: readonly (readonly [RegExp, ViewColumn['kind']])[] = [
  [/^(ts|te)$|_ts$/, 'time_ns'],
  [/^dur$|_ns$/, 'duration_ns'],
  [/_bytes$/, 'bytes'],
  [/(^|_)share$/, 'share'],
  // Ids are no amounts: 1,234 would be another thread.
  [/^(id|cpu)$|(^|_)(utid|upid|tid|pid|id)$/, 'text'],
];

/** What words in names of columns are called where they are shown: keys read as names of threads and processes. */
const SHOWN: ReadonlyMap<string, string> = new Map([
  ['utid', 'thread'],
  ['upid', 'process'],
  ['ts', 'at'],
  ['te', 'until'],
  ['dur', 'length'],
]);

/** Reads the `@column` entries of a panel. */
export function readColumns(header: Header): ReadonlyMap<string, Pick<ViewColumn, 'kind' | 'help'>> {
  return new Map(
    header.all('column').map((entry) => {
      const [, name = '', kind = '', help = ''] = COLUMN.exec(entry.value) ?? [];
      if (!Object.hasOwn(KINDS, kind))
        throw header.refusal(entry, `takes "NAME KIND: HELP"; kinds are ${Object.keys(KINDS).join(', ')}`);
      return [name, { kind: KINDS[kind as keyof typeof KINDS], help }] as const;
    }),
  );
}

/** A column as it is shown: as the header says, else by its name, else by what it holds. */
export function describeColumn(
  name: string,
  said: Pick<ViewColumn, 'kind' | 'help'> | undefined,
  cells: Iterable<Cell>,
): ViewColumn {
  const words = name
    .replace(/_(ns|bytes)$/, '')
    .split('_')
    .map((word) => SHOWN.get(word) ?? word)
    .join(' ');
  const named = NAMED.find(([pattern]) => pattern.test(name))?.[1];
  return {
    name,
    title: words.charAt(0).toUpperCase() + words.slice(1),
    help: said?.help ?? '',
    kind: said?.kind ?? named ?? kindOf(cells),
  };
}

function kindOf(cells: Iterable<Cell>): ViewColumn['kind'] {
  let kind: ViewColumn['kind'] = 'count';
  for (const cell of cells) {
    if (cell === null) continue;
    if (typeof cell !== 'number' && typeof cell !== 'bigint') return 'text';
    if (typeof cell === 'number' && !Number.isInteger(cell)) kind = 'number';
  }
  return kind;
}
