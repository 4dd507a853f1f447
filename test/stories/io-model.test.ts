import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { group, sum } from 'd3';
import { expect, test } from 'vitest';
import { makeQuery } from '../../shared/engine/index.ts';
import { readParams } from '../../shared/view/index.ts';
import type { Direction, Io, IoGroup, IoModel } from '../../views/io/model.ts';
import { io } from '../../views/io/view.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

/** What `outrank-synth io --truth` says of the session, and of its events by their hook ids. */
interface Truth {
  readonly start_ticks: number;
  readonly end_ticks: number;
  readonly kernel_events: Readonly<Record<string, number>>;
}

/** The thread's key is left out: it is one of the loaded trace. */
type Told = Omit<Io, 'utid'>;

const OPERATIONS = 520;
const TICK_NS = 100;
const START = 1e9;
const BUCKETS = 300;
/** Ticks between two events, and how long the disk takes. */
const [STEP, DISK] = [50, 2000];
/** The first operation follows 8 processes with 8 threads each, 8 ticks apart, and the names of 64 files. */
const FIRST = 8 * 9 * 8 + 64 * STEP + STEP;
const IMAGES = ['browser', 'compiler', 'editor', 'game', 'indexer', 'player', 'shell', 'svchost'];
const KINDS = ['create', 'read', 'write', 'close'];

/** The operations and transfers, from the scenario's rule: what each does lies in its number. */
function toldOf(count: number): { readonly file: readonly Told[]; readonly disk: readonly Told[] } {
  const file: Told[] = [];
  const disk: Told[] = [];
  let ticks = FIRST;
  for (let number = 0; number < count; number++) {
    const round = Math.floor(number / KINDS.length);
    const kind = KINDS[number % KINDS.length] ?? '';
    const pid = 1000 + (round % 8) * 1000;
    const direction: Direction = kind === 'read' || kind === 'write' ? kind : 'other';
    const shared = {
      kind,
      direction,
      size_bytes: direction === 'other' ? null : 4096,
      path: `\\Device\\HarddiskVolume3\\Data\\file${String(round % 64).padStart(2, '0')}.bin`,
      process: `${IMAGES[round % 8] ?? ''}.exe`,
      service: null,
      pid,
      tid: pid + 4,
      thread: null,
    };
    const on_disk = kind === 'read' && round % 2 === 0;
    const at = (tick: number) => START + tick * TICK_NS;
    if (on_disk) {
      const transfer = {
        ts: at(ticks + STEP),
        dur: DISK * TICK_NS,
        disk: 0,
        priority: 'Normal',
        status: null,
      };
      disk.push({ ...shared, ...transfer });
    }
    const length = STEP + (on_disk ? STEP + DISK : 0);
    const status = kind === 'create' && round % 8 === 7 ? '0xc0000034' : '0x0';
    file.push({ ...shared, ts: at(ticks), dur: length * TICK_NS, disk: null, priority: null, status });
    ticks += length + STEP;
  }
  return { file, disk };
}

const durOf = ({ dur }: Told) => dur ?? 0;
const bytesOf = (told: readonly Told[], direction: Direction) =>
  sum(told.filter((each) => each.direction === direction).map(({ size_bytes }) => size_bytes ?? 0));

/** Sums and percentiles by nearest rank. */
function numbersOf(told: readonly Told[]) {
  const rising = told.map(durOf).sort((a, b) => a - b);
  const percentile = (part: number) => rising[Math.ceil(rising.length * part) - 1] ?? NaN;
  return {
    count: told.length,
    read_bytes: bytesOf(told, 'read'),
    written_bytes: bytesOf(told, 'write'),
    sum_ns: sum(rising),
    p50_ns: percentile(0.5),
    p90_ns: percentile(0.9),
    p99_ns: percentile(0.99),
    max_ns: percentile(1),
  };
}

/** Longest together first, those of the same length by how many they are and by their names. */
function groupsOf(told: readonly Told[], of: (each: Told) => Pick<IoGroup, 'name' | 'pid' | 'disk'>) {
  const groups = group(told, (each) => JSON.stringify(of(each)));
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => ({ ...(JSON.parse(key) as ReturnType<typeof of>), ...numbersOf(each) }))
    .sort((a, b) => b.sum_ns - a.sum_ns || b.count - a.count);
}

/** Bars of a tenth of a decade, by their place; empty ones are left out. */
function barsOf(durations: readonly number[]) {
  return Object.fromEntries(
    [...group(durations, (dur) => Math.floor(10 * Math.log10(dur) + 1e-9))].map(([bar, of]) => [
      bar,
      of.length,
    ]),
  );
}

/** What ends in each bucket, by direction. */
function linesOf(told: readonly Told[], edges: readonly number[], disk: string) {
  return (['read', 'write', 'other'] as const)
    .map((direction) => ({ direction, of: told.filter((each) => each.direction === direction) }))
    .filter(({ of }) => of.length > 0)
    .map(({ direction, of }) => {
      const ended = edges
        .slice(1)
        .map((end, bucket) =>
          of.filter((each) => each.ts + durOf(each) >= (edges[bucket] ?? 0) && each.ts + durOf(each) < end),
        );
      return {
        label: `${disk}${direction}`,
        counts: ended.map((each) => each.length),
        size_bytes: ended.map((each) => sum(each.map(({ size_bytes }) => size_bytes ?? 0))),
      };
    });
}

/** The mean number under way in each bucket. */
function depthOf(told: readonly Told[], edges: readonly number[], bucket_ns: number) {
  return edges.slice(1).map((end, bucket) => {
    const start = edges[bucket] ?? 0;
    const within = ({ ts, dur }: Told) => Math.max(0, Math.min(end, ts + (dur ?? 0)) - Math.max(start, ts));
    return Number((sum(told.map(within)) / bucket_ns).toFixed(6));
  });
}

/** The whole model of `told`, as the truth has it. */
function modelOf(told: readonly Told[], source: 'disk' | 'file', end: number) {
  const bucket_ns = Math.ceil((end - START) / BUCKETS);
  const edges = [...Array.from({ length: BUCKETS }, (_, bucket) => START + bucket * bucket_ns), end];
  const disk = source === 'disk' ? 'disk 0' : '';
  const nobody = { name: null, pid: null, disk: null };
  const paths = groupsOf(told, ({ path }) => ({ ...nobody, name: path }));
  return {
    origin_ns: START,
    unrecorded: null,
    notes: [],
    source,
    summary: { ...numbersOf(told), ended: told.length },
    edges,
    lines: linesOf(told, edges, disk === '' ? '' : `${disk} `).sort((a, b) => (a.label < b.label ? -1 : 1)),
    depths: [{ label: disk === '' ? 'under way' : disk, values: depthOf(told, edges, bucket_ns) }],
    histogram: barsOf(told.map(durOf)),
    processes: groupsOf(told, ({ process, pid }) => ({
      ...nobody,
      name: `${process ?? ''} (pid ${pid ?? ''})`,
      pid,
    })),
    paths,
    path_count: paths.length,
    kinds: groupsOf(told, (each) => ({ ...nobody, name: each.kind, disk: each.disk })),
    ios: [...told].sort((a, b) => durOf(b) - durOf(a) || a.ts - b.ts),
    // Nothing is scheduled in this trace, and so no thread waits.
    waits: told.map(() => null),
    others: told.map(() => null),
  };
}

/** A loaded model, told as the truth is: bars by their places, means without the last digits of sums. */
function seenIn({ ios, histogram, depths, lines, ...rest }: IoModel) {
  const place = (from_ns: number) => Math.round(10 * Math.log10(from_ns));
  return {
    ...rest,
    ios: ios.map(({ utid, ...each }) => {
      expect(utid).not.toBeNull();
      return each;
    }),
    histogram: Object.fromEntries(
      histogram.filter(({ count }) => count > 0).map(({ from_ns, count }) => [place(from_ns), count]),
    ),
    depths: depths.map(({ label, values }) => ({
      label,
      values: values.map((value) => Number(value.toFixed(6))),
    })),
    lines: [...lines].sort((a, b) => (a.label < b.label ? -1 : 1)),
  };
}

describeReal('the view of disk and file I/O', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));
  const path = join(folder, 'io.etl');
  const truthPath = join(folder, 'truth.json');
  const opened = Promise.resolve().then(() => {
    writeTrace(path, 'io', '--count', String(OPERATIONS), '--cpus', '2', '--truth', truthPath);
    return host.open(path, {});
  });

  test.each(['disk', 'file'] as const)('shows all of source %s as the truth tells it', async (source) => {
    const { id } = await opened;
    const query = makeQuery((sql) => host.query(id, sql));
    const { kernel_events, ...truth } = JSON.parse(readFileSync(truthPath, 'utf8')) as Truth;
    const told = toldOf(OPERATIONS)[source];
    // Hook ids of FileIo's OperationEnd and DiskIo's Read.
    expect(told.length).toBe(kernel_events[source === 'file' ? '044c' : '010a']);
    const end = START + (truth.end_ticks - truth.start_ticks) * TICK_NS;
    const range = { start: START, end };
    const params = readParams(io.params, { source });
    const first = await io.load(query, params, range);
    const model = await io.later?.load(query, params, range, first);
    expect(seenIn(model ?? first)).toEqual(modelOf(told, source, end));
  });
});
