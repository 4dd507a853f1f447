import { formatCount } from '../../shared/model/index.ts';
import { programLabel } from '../../shared/threads/index.ts';
import { stateOf, type Lane } from '../../shared/timeline/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { processName, processWords, type Base } from './base.ts';
import { THREAD_CLASSES } from './classes.ts';
import { eventsKey } from './event-tracks.ts';
import { DISK_KEY } from './item-tracks.ts';
import type { Track, TrackSums } from './model.ts';
import type { TimelineParams } from './params.ts';
import { SAMPLES_KEY, type SampleTrack } from './sample-track.ts';

/** How a track stands that is neither pinned nor a process that is open nor under one. */
const PLAIN = { is_pinned: false, is_open: false, is_inner: false } as const;

/** The tracks that pass the filter, in the order in which they are shown. */
export function tracksOf(
  base: Base,
  params: TimelineParams,
  range: TimeRange,
  processes: readonly ProcessTracks[],
  providers: readonly string[],
): Track[] {
  const passes = filterOf(params.filter);
  const pinned = new Set(params.pinned?.split(' ') ?? []);
  const machine = [
    ...base.machine.tracks.map(({ label }, place) =>
      plainTrack('machine', { key: `m${place}`, name: label.toLowerCase().replaceAll(' ', '-'), label }),
    ),
    ...[DISK_KEY, ...providers.map(eventsKey)].flatMap((key) => {
      const track = base.items.get(key);
      return track === undefined ? [] : [plainTrack('items', track)];
    }),
    ...(base.samples == null ? [] : [samplesTrack(base.samples)]),
  ];
  const cpus = base.lanes.cpus.map((_, cpu) => cpuTrack(base, cpu, params, range));
  const before = orderBy(params);
  const all = [...machine, ...cpus, ...processes.flatMap(({ track, threads }) => [track, ...threads])];
  const top = all
    .filter(({ name }) => pinned.has(name))
    .sort(before)
    .map((track): Track => ({ ...track, is_pinned: true }));
  const shownCpus = [...machine, ...cpus].filter(passes);
  if (params.group === 'none') {
    const threads = processes.flatMap(({ threads }) => threads).filter(passes);
    return [...top, ...shownCpus, ...threads.sort(before)];
  }
  const shown = processes
    .map(({ track, threads }) => ({ track, threads: passes(track) ? threads : threads.filter(passes) }))
    .filter(({ track, threads }) => passes(track) || threads.length > 0)
    .sort((a, b) => before(a.track, b.track));
  // Who looks for a thread wants to see it.
  const open = params.filter ? null : new Set((params.open ?? shown[0]?.track.name ?? '').split(' '));
  const grouped = shown.flatMap(({ track, threads }) => {
    const is_open = open?.has(track.name) ?? (!passes(track) || threads.length <= 20);
    const inner = is_open
      ? [...threads].sort(before).map((each): Track => ({ ...each, is_inner: true }))
      : [];
    return [{ ...track, is_open }, ...inner];
  });
  return [...top, ...shownCpus, ...grouped];
}

/** A process and its threads, as they stand that are neither pinned nor open. */
export interface ProcessTracks {
  readonly track: Track;
  readonly threads: readonly Track[];
}

/** All processes: what they did in a range does not change as they are filtered, ordered and pinned. */
export function processesIn(base: Base, range: TimeRange): readonly ProcessTracks[] {
  return [...base.threadsOf].map(([upid, utids]) => {
    const threads = utids.map((utid) => threadTrack(base, utid, range));
    return { track: processTrack(base, upid, threads), threads };
  });
}

function filterOf(filter: string | null): (track: Track) => boolean {
  const wanted = filter?.trim().toLowerCase() ?? '';
  if (wanted === '') return () => true;
  return ({ label, process, tid, pid }) =>
    label.toLowerCase().includes(wanted) ||
    (process ?? '').toLowerCase().includes(wanted) ||
    String(tid) === wanted ||
    String(pid) === wanted;
}

function orderBy({ order }: TimelineParams): (a: Track, b: Track) => number {
  const byName = (a: Track, b: Track) =>
    a.label.localeCompare(b.label) || (a.pid ?? 0) - (b.pid ?? 0) || (a.tid ?? 0) - (b.tid ?? 0);
  const keys: Readonly<Record<string, (track: Track) => number>> = {
    ready: ({ sums }) => -sums.ready_ns,
    cpu: ({ sums }) => -sums.running_ns,
    wakes: ({ sums }) => -sums.wakes,
    first: ({ first_ts }) => first_ts ?? Infinity,
  };
  const key = keys[order];
  if (key === undefined) return byName;
  return (a, b) => {
    const [one, other] = [key(a), key(b)];
    // Infinite for both where neither did anything.
    return one === other ? byName(a, b) : one - other;
  };
}

function samplesTrack({ samples }: SampleTrack): Track {
  const names = { key: SAMPLES_KEY, name: 'samples', label: 'Samples' };
  return plainTrack('samples', { ...names, aside: formatCount(samples.count) });
}

/** A track that is of no CPU and no thread. */
function plainTrack(
  kind: Track['kind'],
  { key, name, label, aside = '' }: Pick<Track, 'key' | 'name' | 'label'> & { readonly aside?: string },
): Track {
  return {
    key,
    name,
    kind,
    label,
    aside,
    tid: null,
    pid: null,
    process: null,
    sums: { running_ns: 0, ready_ns: 0, blocked_ns: 0, runs: 0, wakes: 0 },
    first_ts: null,
    ...PLAIN,
  };
}

/** The first letter of the key of a CPU's track, by what its colours stand for. */
const CPU_KEYS: Readonly<Record<string, string>> = { priority: 'q', rank: 'r' };

function cpuTrack(
  { lanes, ofCpus }: Base,
  cpu: number,
  { color }: TimelineParams,
  { start, end }: TimeRange,
): Track {
  const lane = lanes.cpus[cpu];
  const [, idle_ns = 0, ...running] = lane === undefined ? [] : ofCpus.of(lane).within(start, end);
  return {
    key: `${CPU_KEYS[color] ?? 'c'}${cpu}`,
    name: `c${cpu}`,
    kind: 'cpu',
    label: `CPU ${cpu}`,
    aside: '',
    tid: null,
    pid: null,
    process: null,
    sums: {
      running_ns: running.reduce((sum, ns) => sum + ns, 0),
      ready_ns: 0,
      blocked_ns: idle_ns,
      runs: 0,
      wakes: 0,
    },
    first_ts: null,
    ...PLAIN,
  };
}

function threadTrack({ lanes, names, ofThreads }: Base, utid: number, { start, end }: TimeRange): Track {
  const thread = lanes.threads.get(utid);
  const name = names.get(utid);
  const sums = { running_ns: 0, ready_ns: 0, blocked_ns: 0 };
  if (thread !== undefined) {
    ofThreads
      .of(thread.lane)
      .within(start, end)
      .forEach((ns, of) => {
        const state = THREAD_CLASSES[of]?.state;
        if (state === 'running' || state === 'ready' || state === 'blocked') sums[`${state}_ns`] += ns;
      });
  }
  const tid = name?.tid ?? null;
  return {
    key: `t${utid}`,
    name: `t${tid ?? '?'}`,
    kind: 'thread',
    label: name?.thread ?? programLabel(name ?? { process: null, service: null }),
    aside: `tid ${tid ?? '?'}`,
    tid,
    pid: name?.pid ?? null,
    process: processName(names, utid),
    sums: { ...sums, runs: thread?.runs ?? 0, wakes: thread?.wakes ?? 0 },
    first_ts: thread === undefined ? null : firstActivity(thread.lane, start, end),
    ...PLAIN,
  };
}

function processTrack({ names }: Base, upid: number, threads: readonly Track[]): Track {
  const [first] = threads;
  const sum = (of: keyof TrackSums) => threads.reduce((all, { sums }) => all + sums[of], 0);
  const pid = first?.pid ?? null;
  const utid = first === undefined ? undefined : Number(first.key.slice(1));
  return {
    key: `p${upid}`,
    name: `p${pid ?? '?'}`,
    kind: 'process',
    label: processWords(names, utid),
    aside: `pid ${pid ?? '?'}, ${threads.length} ${threads.length === 1 ? 'thread' : 'threads'}`,
    tid: null,
    pid,
    process: processName(names, utid),
    sums: {
      running_ns: sum('running_ns'),
      ready_ns: sum('ready_ns'),
      blocked_ns: sum('blocked_ns'),
      runs: sum('runs'),
      wakes: sum('wakes'),
    },
    first_ts: threads.reduce<number | null>(
      (least, { first_ts }) =>
        first_ts === null || (least !== null && least <= first_ts) ? least : first_ts,
      null,
    ),
    ...PLAIN,
  };
}

/** When a thread first ran or was ready within a range: what it was blocked in at the start is one stretch, or few. */
function firstActivity(lane: Lane, start: number, end: number): number | null {
  let found: number | null = null;
  lane.visit(start, end, ({ ts, value }) => {
    const state = stateOf(value);
    if (state !== 'running' && state !== 'ready') return true;
    found = Math.max(ts, start);
    return false;
  });
  return found;
}
