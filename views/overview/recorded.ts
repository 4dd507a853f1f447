import { rollup, sum } from 'd3';
import { toText, type Row } from '../../shared/engine/index.ts';
import type { Recorded } from './model.ts';

/** A kind of events that a view shows: by the group of the kernel that they are of, and their names. */
interface Kind {
  readonly what: string;
  readonly view: string;
  readonly shown_by: string;
  readonly provider: string;
  readonly event: RegExp;
}

const READY = { view: 'ready-latency', shown_by: 'Ready latency' };
const IO = { view: 'io', shown_by: 'Disk and file I/O' };
const GENERIC = { view: 'generic-events', shown_by: 'Generic events' };
const SYSTEM = { view: 'system', shown_by: 'System' };
const OTHER = { what: 'Other events', ...SYSTEM, provider: null };

/** What views show besides generic events; the first that fits. */
const KINDS: readonly Kind[] = [
  {
    what: 'Context switches',
    view: 'cpu-usage',
    shown_by: 'CPU usage',
    provider: 'Thread',
    event: /CSwitch/,
  },
  { what: 'Ready threads', ...READY, provider: 'Thread', event: /ReadyThread/ },
  {
    what: 'Profile samples',
    view: 'cpu-sampled',
    shown_by: 'CPU usage, sampled',
    provider: 'PerfInfo',
    event: /^SampledProfile$/,
  },
  {
    what: 'Processes: starts, ends and lists',
    view: 'processes',
    shown_by: 'Processes',
    provider: 'Process',
    event: /^(?:DC)?(?:Start|End)$/,
  },
  {
    what: 'Threads: starts, ends and lists',
    view: 'threads',
    shown_by: 'Threads and growth',
    provider: 'Thread',
    event: /^(?:DC)?(?:Start|End)$/,
  },
  { what: 'Transfers of disks', ...IO, provider: 'DiskIo', event: /^(?:Read|Write|FlushBuffers)$/ },
  {
    what: 'Operations on files',
    ...IO,
    provider: 'FileIo',
    event: /^(?!Name$|FileCreate$|FileDelete$|FileRundown$)/,
  },
  {
    what: 'Stacks',
    view: 'cpu-sampled',
    shown_by: 'CPU usage, sampled',
    provider: 'StackWalk',
    event: /./,
  },
  { what: 'Loaded images', ...SYSTEM, provider: 'Image', event: /^(?:DC)?(?:Load|Unload|Start|End)$/ },
  { what: 'Hard faults', ...IO, provider: 'Memory', event: /^HardFault$/ },
];

/** What the file holds and which view shows it, most events first; from the rows of `event-counts.sql`. */
export function recordedKinds(rows: readonly Row[]): readonly Recorded[] {
  const parts = rows.map((row) => ({ ...kindOf(row), events: Number(row.count) }));
  const kinds = rollup(
    parts,
    (same) => same.map((part) => ({ ...part, events: sum(same, ({ events }) => events) }))[0],
    ({ what }) => what,
  );
  return [...kinds.values()]
    .filter((kind) => kind !== undefined)
    .sort((a, b) => b.events - a.events || a.what.localeCompare(b.what));
}

function kindOf({ provider, event, is_generic }: Row): Omit<Recorded, 'events'> {
  const from = toText(provider);
  const known = KINDS.find((kind) => kind.provider === from && kind.event.test(toText(event) ?? ''));
  if (known !== undefined) {
    const { what, view, shown_by } = known;
    return { what, view, shown_by, provider: null };
  }
  return is_generic === 1 ? { what: from ?? 'unknown provider', ...GENERIC, provider: from } : OTHER;
}
