import type { TimeRange } from '../../../shared/view/index.ts';
import { START, sumBy, type RandomTruth, type RunTruth, type WaitTruth } from './truth.ts';

/** A life of an id. */
interface Life {
  readonly life: { readonly start_ns: number | null; readonly end_ns: number | null };
}

/** Times and lengths in ticks: within one the converter moves events to keep them in order. */
export function ticksOf({ tick_ns }: RandomTruth): <T extends number | null>(ns: T) => T {
  return <T extends number | null>(ns: T) => (ns === null ? null : Math.round(ns / tick_ns)) as T;
}

/** How far sums of times may be off, in ns: events of one tick are moved apart by some ns each. */
export function slackOf({ shares_ticks, runs }: RandomTruth): number {
  return shares_ticks ? 20 * runs.length : 0;
}

/** Sums that were seen, with the known ones for those that are as good as these: to `more_ns` more than machines are off. */
export function settled<Key extends string>(
  truth: RandomTruth,
  seen: Readonly<Record<Key, number>>,
  known: Readonly<Record<Key, number>>,
  more_ns: number,
): Record<string, number> {
  const slack_ns = slackOf(truth) + more_ns;
  const [before, exact] = [new Map(Object.entries<number>(seen)), new Map(Object.entries<number>(known))];
  const settled = new Map(before);
  for (const key of new Set([...before.keys(), ...exact.keys()])) {
    const sum = exact.get(key);
    if (Math.abs((before.get(key) ?? 0) - (sum ?? 0)) > slack_ns) continue;
    if (sum === undefined) settled.delete(key);
    else settled.set(key, sum);
  }
  return Object.fromEntries(settled);
}

/** How much of a run lies in a stretch of time. */
export function ranWithin({ start_ns, end_ns }: RunTruth, { start, end }: TimeRange): number {
  return Math.max(0, Math.min(end_ns ?? Infinity, end) - Math.max(start_ns, start));
}

/** A run of a thread, not of the idle one. */
export const isBusy = ({ tid }: RunTruth) => tid !== 0;

/**
 * When a CPU, whose first switch that is told stands at `since`, is known to have been idle although events were lost: from a
 * switch to the idle thread until they are missing, and from where they are no longer missing until a switch from it.
 */
export function knownIdle(
  { runs, end_ns, tick_ns }: RandomTruth,
  { cpu, losses }: { readonly cpu: number; readonly losses: readonly TimeRange[] },
  since: number,
): readonly TimeRange[] {
  const idle = runs.filter((run) => run.cpu === cpu && !isBusy(run) && run.start_ns > since - tick_ns);
  return idle.flatMap((run) => {
    const span = { start: run.start_ns, end: run.end_ns ?? end_ns };
    const within = losses.filter(({ start, end }) => start < span.end && end > span.start);
    if (within.length === 0) return [span];
    const before = { start: span.start, end: Math.min(...within.map(({ start }) => start)) };
    const after = { start: Math.max(...within.map(({ end }) => end)), end: span.end };
    const ends = run.end_ns === null ? [before] : [before, after];
    return ends.filter(({ start, end }) => start < end);
  });
}

/** Without what ran last on each CPU: who came with a CPU's last compact switch is not recorded. */
export function withoutLastRuns(truth: RandomTruth): RandomTruth {
  const last = new Map(truth.runs.map((run) => [run.cpu, run]));
  return { ...truth, runs: truth.runs.filter((run) => last.get(run.cpu) !== run) };
}

/** CPU time in a range by whatever. */
export function cpuTimes(
  { runs }: RandomTruth,
  range: TimeRange,
  keyOf: (run: RunTruth) => string,
): Record<string, number> {
  return sumBy(runs.filter(isBusy), keyOf, (run) => ranWithin(run, range));
}

/** How many context switches there are in a range, by whatever; those that begin a run. */
export function switches(
  { runs }: RandomTruth,
  { start, end }: TimeRange,
  keyOf: (run: RunTruth) => string,
): Record<string, number> {
  return sumBy(
    runs.filter(({ start_ns }) => start_ns >= start && start_ns < end),
    keyOf,
    () => 1,
  );
}

/** The threads of a process. */
export interface ThreadCounts {
  readonly pid: number;
  readonly created: number;
  readonly ended: number;
  readonly at_start: number;
  readonly at_end: number;
}

/** The threads of each process that had any. */
export function threadCounts({ processes, threads }: RandomTruth): ThreadCounts[] {
  return processes.flatMap(({ pid, life: { start_ns, end_ns } }) => {
    const own = threads.filter(
      ({ pid: owner, life }) =>
        owner === pid &&
        (life.start_ns ?? START) >= (start_ns ?? START) &&
        (life.start_ns ?? START) <= (end_ns ?? Infinity),
    );
    const count = (fits: (thread: (typeof own)[number]) => boolean) => own.filter(fits).length;
    const counts = {
      pid,
      created: count(({ life }) => life.start_ns !== null),
      ended: count(({ life }) => life.end_ns !== null),
      at_start: count(({ life }) => life.start_ns === null),
      at_end: count(({ life }) => life.end_ns === null),
    };
    return own.length > 0 ? [counts] : [];
  });
}

/** The waits as the list of ready latency has them, by time. */
export function listedWaits(truth: RandomTruth) {
  const { waits, end_ns } = truth;
  const toTicks = ticksOf(truth);
  return waits
    .map((wait) => ({
      ready: toTicks(wait.ready_ns),
      dur: toTicks((wait.switch_in_ns ?? end_ns) - wait.ready_ns),
      ended: wait.switch_in_ns !== null,
      cause: wait.preempted ? 'preempted' : 'wake',
      tid: wait.tid,
      pid: wait.pid,
      cpu: wait.cpu,
      rank: wait.rank,
      priority: wait.priority,
      readied_by: wait.in_dpc ? 'a DPC' : wait.waker_tid,
      blocked: wait.preempted || wait.last_out_ns === null ? null : toTicks(wait.ready_ns - wait.last_out_ns),
    }))
    .sort(byTime);
}

/** Several waits of one thread may begin at one tick. */
export function byTime(a: ListedWait, b: ListedWait): number {
  return a.ready - b.ready || a.tid - b.tid || a.dur - b.dur || Number(a.ended) - Number(b.ended);
}

interface ListedWait {
  readonly ready: number;
  readonly tid: number;
  readonly dur: number;
  readonly ended: boolean;
}

/** The waiting that ended from each of some moments, which begin at these ticks, to the next, by its tick. */
export function endedWaiting(truth: RandomTruth, begins: readonly number[]): Record<string, number> {
  const toTicks = ticksOf(truth);
  const ended = truth.waits.filter(({ switch_in_ns }) => switch_in_ns !== null);
  return sumBy(
    ended,
    ({ switch_in_ns }) => String(begins.filter((tick) => tick <= toTicks(switch_in_ns ?? 0)).at(-1)),
    (wait) => (wait.switch_in_ns ?? 0) - waitingSince(truth, wait),
  );
}

function waitingSince(truth: RandomTruth, wait: WaitTruth): number {
  if (wait.preempted) return wait.ready_ns;
  if (wait.last_out_ns !== null) return wait.last_out_ns;
  const created_ns = truth.threads.find((thread) => thread.tid === wait.tid && livesAt(thread, wait.ready_ns))
    ?.life.start_ns;
  return created_ns === null ? START : wait.ready_ns;
}

/** A thread that ended still runs until it is switched out, which is not told here: two lives are never so near. */
function livesAt({ life: { start_ns, end_ns } }: Life, at_ns: number): boolean {
  return (start_ns ?? 0) <= at_ns && at_ns <= (end_ns ?? Infinity);
}

interface Link {
  readonly tid: number;
  readonly switch_in: number;
  readonly until: number;
  readonly ready: number | null;
  readonly ran: number;
  readonly runs: number;
}

/** The chain of wakes backward from the run that ended the longest wait. */
export function wakeChain(truth: RandomTruth): { readonly links: Link[]; readonly reason: string } | null {
  const { waits, runs, threads } = truth;
  const toTicks = ticksOf(truth);
  const [longest] = waits
    .filter(({ run }) => run !== null)
    .sort((a, b) => lengthOf(b) - lengthOf(a) || a.ready_ns - b.ready_ns);
  if (longest?.run == null) return null;
  const links: Link[] = [];
  let last = longest.run;
  let until_ns = runs[last]?.end_ns ?? truth.end_ns;
  for (;;) {
    const { tid, pid, start_ns } = nth(runs, last);
    const life = threads.find((thread) => thread.tid === tid && livesAt(thread, start_ns));
    const since = life?.life.start_ns ?? 0;
    const own = [...runs.keys()].filter((run) => {
      const { tid: other, start_ns: start } = nth(runs, run);
      return other === tid && start >= since && run <= last;
    });
    const blocked = own.filter((run) => run < last && nth(runs, run).old_state === 'Waiting').at(-1);
    const woken = waits
      .filter((wait) => wait.tid === tid && wait.pid === pid && !wait.preempted && wait.ready_ns >= since)
      .filter(({ run }) => run !== null && run <= last && run > (blocked ?? -1))
      .at(-1);
    const first = woken?.run ?? last;
    const since_then = own.filter((run) => run >= first);
    const ran_ns = since_then.map((run) => ranWithin(nth(runs, run), { start: 0, end: until_ns }));
    links.push({
      tid,
      switch_in: toTicks(nth(runs, first).start_ns),
      until: toTicks(until_ns),
      ready: toTicks(woken?.ready_ns ?? null),
      ran: toTicks(ran_ns.reduce((sum, ns) => sum + ns, 0)),
      runs: since_then.length,
    });
    if (woken === undefined) {
      const known =
        blocked !== undefined ? 'no_ready_event' : life?.life.start_ns === null ? 'trace_start' : 'created';
      return { links, reason: known };
    }
    if (woken.in_dpc) return { links, reason: 'dpc' };
    if (woken.waker_tid === null) return { links, reason: 'idle' };
    // It had run since before the trace: what ran before a CPU's first switch is not told.
    if (woken.waker_run === null) return { links, reason: 'lost_events' };
    if (links.length > 1000) return { links, reason: 'depth' };
    last = woken.waker_run;
    until_ns = woken.ready_ns;
  }
}

function nth(runs: readonly RunTruth[], number: number): RunTruth {
  const run = runs[number];
  if (run === undefined) throw new RangeError(`run ${number} of ${runs.length}`);
  return run;
}

function lengthOf({ switch_in_ns, ready_ns }: WaitTruth): number {
  return (switch_in_ns ?? ready_ns) - ready_ns;
}

/** The spans of ranks, of each thread that had one above 0: from the end of a run that recorded one to the next other one. */
export function rankSpans(truth: RandomTruth) {
  const toTicks = ticksOf(truth);
  return truth.threads
    .flatMap(({ tid, pid, life }) => {
      const recorded = truth.runs.filter(
        (run) =>
          run.tid === tid &&
          run.pid === pid &&
          run.rank !== null &&
          run.start_ns >= (life.start_ns ?? 0) &&
          run.start_ns <= (life.end_ns ?? Infinity),
      );
      const before = truth.runs_before.filter(
        (run) => run.tid === tid && run.pid === pid && life.start_ns === null,
      );
      const changes = [...before, ...recorded]
        .map((run) => ({ ts: run.end_ns ?? 0, rank: run.rank ?? 0 }))
        .filter(({ rank }, index, all) => all[index - 1]?.rank !== rank);
      const spans = changes.map(({ ts, rank }, index) => ({
        ts: toTicks(ts),
        dur: Math.max(0, toTicks((changes[index + 1]?.ts ?? life.end_ns ?? truth.end_ns) - ts)),
        rank,
      }));
      const hasRank = changes.some(({ rank }) => rank > 0);
      return hasRank ? [{ tid, pid, spans: spans.filter(({ dur }) => dur > 0) }] : [];
    })
    .sort((a, b) => a.tid - b.tid || (a.spans[0]?.ts ?? 0) - (b.spans[0]?.ts ?? 0));
}

/** The freezes that took a tick at least, with the CPU time that threads got in them. */
export function freezes(truth: RandomTruth) {
  const toTicks = ticksOf(truth);
  return truth.processes
    .flatMap(({ pid, life, freezes: spans }) =>
      spans.map(({ start_ns, end_ns }) => {
        const range = { start: start_ns ?? START, end: end_ns ?? truth.end_ns };
        const own = truth.runs.filter(
          (run) =>
            run.pid === pid &&
            run.start_ns >= (life.start_ns ?? 0) &&
            run.start_ns <= (life.end_ns ?? Infinity),
        );
        return {
          pid,
          ts: toTicks(range.start),
          dur: toTicks(range.end - range.start),
          ran_ns: own.reduce((sum, run) => sum + ranWithin(run, range), 0),
        };
      }),
    )
    .filter(({ dur }) => dur > 0)
    .sort((a, b) => a.ts - b.ts || a.pid - b.pid);
}
