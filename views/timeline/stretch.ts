import { bisectLeft, bisectRight, sum } from 'd3';
import type { Query } from '../../shared/engine/index.ts';
import { formatCount, formatDuration, formatShare } from '../../shared/model/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import { detailOf, NOTHING, stateOf, utidOf, type Lane, type Step } from '../../shared/timeline/index.ts';
import { estimateWhys } from '../../shared/why-late/columns/index.ts';
import { WHY_LABELS } from '../../shared/why-late/index.ts';
import { processWords, type Base } from './base.ts';
import { THREAD_CLASSES } from './classes.ts';
import { firstAfter } from './extra-items.ts';
import { itemAt, othersAt } from './extra-tracks.ts';
import type { ItemTrack } from './item-tracks.ts';
import { machineName } from './machine.ts';
import { lanesOf } from './pixels.ts';
import type { Fact, Question, Stretch } from './questions.ts';
import { SAMPLES_KEY } from './sample-track.ts';
import { runAt, waitAt, type FoundWait } from './stretch-rows.ts';

/** What a track did at a time, explained; of a process with several threads what these did in a pixel. Null where there is nothing. */
export async function stretchAt(
  query: Query,
  base: Base,
  track: string,
  at: number,
  px_ns = 0,
): Promise<Stretch | null> {
  const items = base.items.get(track);
  if (items !== undefined)
    return itemStretch(base, items, itemAt({ items: items.items, draw: 'spans' }, at, px_ns));
  if (track === SAMPLES_KEY) return sampleStretch(base, base.samples?.near(at, px_ns) ?? -1);
  if (track.startsWith('p')) return processStretch(query, base, track, at, px_ns);
  // Whatever its colours stand for, a CPU ran a thread.
  const [lane] = lanesOf(base, track.replace(/^[qr]/, 'c')).lanes;
  if (lane === undefined) return null;
  if (track.startsWith('m')) return machineStretch(base, track, heldNear(lane, at, px_ns));
  const step = lane.at(at);
  const span = {
    track,
    ts: Math.max(step.ts, base.lanes.start_ts),
    te: Math.min(step.te, base.lanes.end_ts),
  };
  if (span.te <= span.ts) return null;
  if (/^[cqr]/.test(track)) {
    const utid = utidOf(step.value);
    const cpu = Number(track.slice(1));
    if (utid === null) return { ...span, ...nothing(`CPU ${cpu}: not recorded`) };
    if (utid === 0) return { ...span, ...nothing(`CPU ${cpu} is idle`) };
    return { ...span, ...(await explainRun(query, base, utid, step, cpu)) };
  }
  return { ...span, ...(await explainThread(query, base, Number(track.slice(1)), lane, step)) };
}

/** What a track that has gaps shows next after a time, or before it; null where that was the last, and on other tracks. */
export async function nextStretch(
  base: Base,
  { track, ts, step }: Extract<Question, { kind: 'next' }>,
): Promise<Stretch | null> {
  const items = base.items.get(track);
  if (items !== undefined) {
    const after = firstAfter(items.items, step > 0 ? ts : ts - 1);
    return itemStretch(base, items, step > 0 ? after : after - 1);
  }
  if (track === SAMPLES_KEY) {
    const times = base.samples?.samples.ts ?? [];
    return sampleStretch(base, step > 0 ? bisectRight(times, ts) : bisectLeft(times, ts) - 1);
  }
  const lanes = track.startsWith('m') ? lanesOf(base, track).lanes : [];
  const [lane] = lanes;
  if (lane === undefined || lanes.length > 1) return null;
  let held = lane.at(ts);
  do {
    if (step > 0 ? held.te === Infinity : held.ts === -Infinity) return null;
    held = lane.at(step > 0 ? held.te : held.ts - 1);
  } while (held.value === NOTHING);
  return machineStretch(base, track, held);
}

/** What the thread of an id did in a span: the run after a wait is asked for by the wait, which is shorter. Null where it did nothing. */
export async function threadStretch(
  query: Query,
  base: Base,
  { tid, start, end }: Extract<Question, { kind: 'thread' }>,
): Promise<Stretch | null> {
  // Ids are given again.
  const alive = [...base.names].find(
    ([utid, name]) =>
      name.tid === tid && (base.lanes.threads.get(utid)?.lane.at(start).value ?? NOTHING) !== NOTHING,
  );
  if (alive === undefined) return null;
  const track = `t${alive[0]}`;
  const first = await stretchAt(query, base, track, start);
  if (first === null || first.te - first.ts >= (end - start) / 2) return first;
  const middle = await stretchAt(query, base, track, (start + end) / 2);
  return middle !== null && middle.te - middle.ts > first.te - first.ts ? middle : first;
}

/** What holds at a time; where nothing does, what holds next to it, at most so many ns away. */
function heldNear(lane: Lane, at: number, px_ns: number): Step {
  const held = lane.at(at);
  if (held.value !== NOTHING) return held;
  if (held.te - at <= px_ns) return lane.at(held.te);
  return at - held.ts <= px_ns ? lane.at(held.ts - 1) : held;
}

/** The only thread of a process tells what it did; several tell the shares that their pixel shows. */
async function processStretch(
  query: Query,
  base: Base,
  track: string,
  at: number,
  px_ns: number,
): Promise<Stretch | null> {
  const [utid, ...others] = base.threadsOf.get(Number(track.slice(1))) ?? [];
  if (utid === undefined) return null;
  if (others.length === 0) return stretchAt(query, base, `t${utid}`, at);
  const [ts, te] = [at - px_ns / 2, at + px_ns / 2];
  const { lanes, of } = lanesOf(base, track);
  const sums = new Float64Array(of.classes.count);
  for (const lane of lanes) of.of(lane).addPixels(ts, px_ns, 1, sums);
  const alive_ns = sum(sums.subarray(1));
  const facts = THREAD_CLASSES.flatMap(({ label }, number): Fact[] => {
    const ns = number === 0 ? 0 : (sums[number] ?? 0);
    return ns === 0 ? [] : [[label, formatShare(ns / alive_ns)]];
  });
  const title = `${processWords(base.names, utid)}: what its ${formatCount(others.length + 1)} threads did`;
  return { track, ts, te, ...nothing(title), pid: base.names.get(utid)?.pid ?? null, facts };
}

async function itemStretch(base: Base, track: ItemTrack, item: number): Promise<Stretch | null> {
  const shown = track.items[item];
  if (shown === undefined) return null;
  const { utid, facts, open } = await track.about(item);
  const { thread, pid } = utid === null ? nothing('') : ofThread(base, utid, '');
  return {
    ...{ track: track.key, ts: shown.ts, te: shown.te, title: shown.name, thread, pid, also: [] },
    facts: [...facts, ...othersAt(track.items, shown)],
    ...{ wake: null, open },
  };
}

function sampleStretch(base: Base, sample: number): Stretch | null {
  const { ts, kind, kinds } = base.samples?.samples ?? {};
  const [at, of] = [ts?.[sample], kinds?.[kind?.[sample] ?? -1]];
  if (at === undefined || of === undefined) return null;
  const facts: Fact[] = [['Mode', of.mode]];
  if (of.priority !== null) facts.push(['Priority', String(of.priority)]);
  if (of.rank !== null) facts.push(['Rank', String(of.rank)]);
  if (of.weight_ns > 0) facts.push(['Stands for', formatDuration(of.weight_ns)]);
  const told = ofThread(base, of.utid, 'sampled');
  const params = told.thread === null ? {} : { tid: told.thread.tid };
  const open = { title: 'CPU usage, sampled', view: 'cpu-sampled', params };
  return { track: SAMPLES_KEY, ts: at, te: at, ...told, also: [], facts, wake: null, open };
}

function machineStretch(base: Base, track: string, { ts, te, value }: Step): Stretch | null {
  const { label = '', lanes = [] } = base.machine.tracks[Number(track.slice(1))] ?? {};
  // Of several CPUs a place tells nothing of one of them.
  if (value === NOTHING || lanes.length > 1) return null;
  return { track, ts, te, ...nothing(`${label}: ${machineName(base.machine, value)}`) };
}

/** The first letters of the keys of a CPU's tracks, whatever their colours stand for. */
const CPU_KEYS = ['c', 'q', 'r'];

type Told = Omit<Stretch, 'track' | 'ts' | 'te'>;

function nothing(title: string): Told {
  return { title, thread: null, pid: null, also: [], facts: [], wake: null };
}

async function explainThread(query: Query, base: Base, utid: number, lane: Lane, step: Step): Promise<Told> {
  const detail = detailOf(step.value);
  switch (stateOf(step.value)) {
    case 'nothing':
      return nothing('not alive');
    case 'lost':
      return { ...ofThread(base, utid, 'not recorded'), also: [], facts: [], wake: null };
    case 'running':
      return explainRun(query, base, utid, step, detail);
    case 'ready':
      return explainReady(query, base, utid, step);
    case 'blocked': {
      const reason = base.lanes.reasons[detail] ?? null;
      const next = lane.at(step.te);
      const woken = stateOf(next.value) === 'ready' ? await waitAt(query, utid, step.te) : null;
      return {
        ...ofThread(base, utid, `blocked${reason === null ? '' : `: ${reason}`}`),
        also: [],
        facts: [
          ['Wait reason', reason ?? 'not recorded'],
          ...(woken === null ? [] : [['Ended by', wakerName(base, woken)] as const]),
        ],
        wake: woken === null ? null : wakeOf(base, woken),
      };
    }
  }
}

function ofThread(base: Base, utid: number, what: string): Pick<Stretch, 'title' | 'thread' | 'pid'> {
  const name = base.names.get(utid);
  return {
    title: `${threadLabel(name)}: ${what}`,
    thread: name === undefined ? null : { utid, tid: name.tid, label: threadLabel(name) },
    pid: name?.pid ?? null,
  };
}

async function explainRun(query: Query, base: Base, utid: number, step: Step, cpu: number): Promise<Told> {
  const run = await runAt(query, utid, step.ts);
  const lane = base.lanes.threads.get(utid)?.lane;
  const before = lane?.at(step.ts - 1);
  const wasReady = before !== undefined && stateOf(before.value) === 'ready' && before.te === step.ts;
  const wait = wasReady ? await waitAt(query, utid, before.ts) : null;
  const facts: Fact[] = [
    ['CPU', String(cpu)],
    ['Process', processWords(base.names, utid)],
  ];
  const add = (name: string, value: string | number | null | undefined) => {
    if (value !== null && value !== undefined) facts.push([name, String(value)]);
  };
  add('Priority', run?.priority);
  add('Rank', run?.rank);
  if (wait !== null) {
    add('Ready before', formatDuration(wait.te - wait.ts));
    add('Why late', await whyOf(query, wait));
    add('Woken by', wakerName(base, wait));
  }
  add('Left the CPU as', run === null ? null : [run.state, run.reason].filter(Boolean).join(', ') || null);
  return {
    ...ofThread(base, utid, `ran on CPU ${cpu}`),
    also: [`t${utid}`, ...CPU_KEYS.map((letter) => `${letter}${cpu}`)],
    facts,
    wake: wait === null ? null : wakeOf(base, wait),
  };
}

async function explainReady(query: Query, base: Base, utid: number, step: Step): Promise<Told> {
  const wait = await waitAt(query, utid, step.ts);
  if (wait === null) return { ...ofThread(base, utid, 'ready'), also: [], facts: [], wake: null };
  const why = await whyOf(query, wait);
  const facts: Fact[] = [
    ['Why late', why],
    ['Became ready', wait.cause === 'wake' ? `by ${wakerName(base, wait)}` : 'as it was preempted'],
  ];
  if (wait.rank !== null) facts.push(['Rank', String(wait.rank)]);
  if (wait.priority !== null) facts.push(['Priority', String(wait.priority)]);
  facts.push(['Then ran on', wait.cpu === null ? 'no CPU within the recording' : `CPU ${wait.cpu}`]);
  return { ...ofThread(base, utid, `ready: ${why}`), also: [], facts, wake: wakeOf(base, wait) };
}

async function whyOf(query: Query, wait: FoundWait): Promise<string> {
  const { tables } = dataOf(query);
  const [why] = await estimateWhys(tables, [wait]);
  return why === undefined ? 'not explained' : WHY_LABELS[why];
}

function wakerName(base: Base, { waker_utid, waker_in_dpc, cause }: FoundWait): string {
  if (cause !== 'wake') return 'no thread: it was preempted';
  if (waker_in_dpc) return 'a DPC';
  return waker_utid === null ? 'not recorded' : threadLabel(base.names.get(waker_utid));
}

function wakeOf(base: Base, { ts, waker_utid, waker_in_dpc }: FoundWait): Stretch['wake'] {
  if (waker_utid === null || waker_utid === 0 || waker_in_dpc) return null;
  return { ts, waker_utid, waker_label: threadLabel(base.names.get(waker_utid)) };
}
