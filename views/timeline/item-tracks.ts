import type { Query } from '../../shared/engine/index.ts';
import { formatBytes, formatCount } from '../../shared/model/index.ts';
import { dataOf, numberAt, textAt } from '../../shared/tables/index.ts';
import { threadLabel, type ThreadName } from '../../shared/threads/index.ts';
import type { TrackItem } from '../../shared/view/index.ts';
import { SpanPixels } from './extra-spans.ts';
import type { Fact, StretchOpen } from './questions.ts';

/** What an item shows besides its time. */
export interface ItemTold {
  readonly utid: number | null;
  readonly facts: readonly Fact[];
  readonly open: StretchOpen;
}

/** A track of things that each have a name and may lie in one another: operations of disks, events of a provider. */
export interface ItemTrack {
  readonly key: string;
  /** By which links name it; without spaces. */
  readonly name: string;
  readonly label: string;
  readonly aside: string;
  /** In the order of `ts`. */
  readonly items: readonly TrackItem[];
  readonly pixels: SpanPixels;
  /** What the item at a place shows. */
  about(item: number): Promise<ItemTold>;
}

/** The key of the track of disks. */
export const DISK_KEY = 'd';

const OF_DISKS = ['ts', 'te', 'kind', 'utid', 'path', 'size_bytes', 'disk'] as const;

interface DiskOperation {
  readonly ts: number;
  readonly te: number;
  readonly kind: string;
  readonly utid: number | null;
  readonly path: string | null;
  readonly size_bytes: number | null;
  readonly disk: number | null;
}

/** What each operation of a disk was; null where none was recorded. */
export async function loadDiskOperations(
  query: Query,
  names: ReadonlyMap<number, ThreadName>,
): Promise<ItemTrack | null> {
  const rows: DiskOperation[] = [];
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_disk_io', OF_DISKS))
    for (let row = 0; row < rowCount; row++) {
      const [ts = 0, te = 0] = [columns.ts.values[row], columns.te.values[row]];
      if (te <= ts) continue;
      rows.push({
        ...{ ts, te },
        kind: textAt(columns.kind, row) ?? '',
        utid: numberAt(columns.utid, row),
        path: textAt(columns.path, row),
        size_bytes: numberAt(columns.size_bytes, row),
        disk: numberAt(columns.disk, row),
      });
    }
  if (rows.length === 0) return null;
  rows.sort((a, b) => a.ts - b.ts);
  const items = rows.map(({ ts, te, kind }) => itemOf(ts, te, kind));
  return {
    key: DISK_KEY,
    name: 'disk-operations',
    label: 'Disk operations',
    aside: formatCount(items.length),
    items,
    pixels: new SpanPixels(items),
    about: (item) => {
      const { utid: thread = null, disk, path, size_bytes } = rows[item] ?? {};
      const facts: Fact[] = [['Disk', String(disk ?? '')]];
      if (thread !== null) facts.push(['Asked by', threadLabel(names.get(thread))]);
      if (size_bytes != null) facts.push(['Size', formatBytes(size_bytes)]);
      if (path != null) facts.push(['Path', path]);
      return Promise.resolve({
        utid: thread,
        facts,
        open: { title: 'Disk and file I/O', view: 'io', params: { source: 'disk' } },
      });
    },
  };
}

/** An item without a value. */
export function itemOf(ts: number, te: number, name: string): TrackItem {
  return { ts, te, name, value: null };
}
