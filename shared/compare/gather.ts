import type { Detail, Measure, Place } from './cells.ts';
import type { Matching, SideName } from './match.ts';
import { UnitLengths } from './quantiles.ts';
import type { ThreadClass } from './things.ts';
import { sumOf, type Units } from './units.ts';

/** What rows are about: a measure of a process, by cause or by wait reason and waker. */
export interface Subject {
  readonly measure: Measure;
  /** The process, by its number among those that were matched. */
  readonly process: number;
  /** The cause of ready time, the wait reason, the module of samples, or the kind of I/O; null for CPU time and blame. */
  readonly why: string | null;
  /** The process that ended the wait, by its number; null where no thread did, and for other measures. */
  readonly waker: number | null;
}

/** What one side has of a subject, by unit. */
export interface SideSums {
  readonly ns: Float64Array;
  readonly count: Float64Array;
  /** By thread, and by rank and priority or function, in ns. */
  readonly threads: Map<string, number>;
  readonly parts: Map<string, number>;
  /** How many runs or blocked waits of each class of length. */
  readonly lengths: Map<number, number>;
  /** What counts most: one place for each thread and detail, by the number of the trace. */
  readonly places: (Place & { readonly trace: number })[];
}

/** A subject with what both sides have of it. */
export interface Gathered {
  readonly subject: Subject;
  readonly a: SideSums;
  readonly b: SideSums;
}

/** Brings the cells of all traces together by what they are about. */
export function gather(a: Units, b: Units, matching: Matching): readonly Gathered[] {
  const gathered = new Map<string, Gathered>();
  const units = { a, b };
  for (const side of ['a', 'b'] as const)
    for (let number = 0; number < units[side].traces.length; number++)
      gatherTrace(gathered, units, side, number, matching);
  return [...gathered.values()];
}

/** Adds the cells of a trace of a side, by its number. */
function gatherTrace(
  gathered: Map<string, Gathered>,
  units: Readonly<Record<SideName, Units>>,
  side: SideName,
  number: number,
  matching: Matching,
): void {
  const own = units[side];
  const trace = own.traces[number];
  if (trace === undefined) return;
  const processes = trace.processes.map((_, process) => matching.of(side, trace, process));
  for (const { thread, detail, ns, count, lengths, functions, most } of trace.cells) {
    const of = trace.threads[thread];
    const process = processes[of?.process ?? -1];
    if (of === undefined || process === undefined) continue;
    const subject = subjectOf(detail, process, processes);
    const key = `${subject.measure} ${subject.process} ${subject.why} ${subject.waker}`;
    let known = gathered.get(key);
    if (known === undefined) {
      known = { subject, a: noSums(units.a), b: noSums(units.b) };
      gathered.set(key, known);
    }
    const sums = known[side];
    own.add(sums.ns, number, ns);
    own.add(sums.count, number, count);
    lengths.forEach((many, length) => sums.lengths.set(length, (sums.lengths.get(length) ?? 0) + many));
    if (most !== null) sums.places.push({ ...most, trace: number });
    const total = sumOf(ns);
    addTo(sums.threads, threadName(of), total);
    for (const [name, of] of functions) addTo(sums.parts, name, of);
    if (detail.measure === 'cpu') addTo(sums.parts, partName(detail.rank, detail.priority), total);
  }
}

/** Starts and exits of a matched process on both sides, by unit. */
export interface GatheredLives {
  readonly process: number;
  readonly a: Readonly<Record<LifeEvent, Float64Array>>;
  readonly b: Readonly<Record<LifeEvent, Float64Array>>;
}

export const LIFE_EVENTS = ['starts', 'exits'] as const;
export type LifeEvent = (typeof LIFE_EVENTS)[number];

/** Brings the starts and exits of processes of all traces together. */
export function gatherLives(a: Units, b: Units, matching: Matching): readonly GatheredLives[] {
  const gathered = new Map<number, GatheredLives>();
  const none = (units: Units) => ({ starts: units.none(), exits: units.none() });
  for (const [side, units] of [
    ['a', a],
    ['b', b],
  ] as const)
    units.traces.forEach((trace, number) => {
      for (const { process: of, ...counts } of trace.lives) {
        const process = matching.of(side, trace, of);
        const known = gathered.get(process) ?? { process, a: none(a), b: none(b) };
        gathered.set(process, known);
        for (const what of LIFE_EVENTS) units.add(known[side][what], number, counts[what]);
      }
    });
  return [...gathered.values()];
}

/** The lengths of ready waits by matched process, on one side. */
export function gatherLengths(
  side: SideName,
  units: Units,
  matching: Matching,
): ReadonlyMap<number, UnitLengths> {
  const lengths = new Map<number, UnitLengths>();
  units.traces.forEach((trace, number) => {
    for (const [process, of] of trace.lengths) {
      const matched = matching.of(side, trace, process);
      const own = lengths.get(matched) ?? new UnitLengths(units);
      lengths.set(matched, own);
      own.add(number, of);
    }
  });
  return lengths;
}

/** What a cell is about; `processes` are those that were matched, by their numbers in the trace. */
function subjectOf(detail: Detail, process: number, processes: readonly number[]): Subject {
  const { measure } = detail;
  if (measure === 'cpu' || measure === 'blame') return { measure, process, why: null, waker: null };
  if (measure === 'ready') return { measure, process, why: detail.why, waker: null };
  if (measure === 'samples') return { measure, process, why: detail.module, waker: null };
  if (measure !== 'blocked') return { measure, process, why: detail.kind, waker: null };
  const waker = detail.waker === null ? null : (processes[detail.waker] ?? null);
  return { measure, process, why: detail.reason, waker };
}

/** What threads that are alike are called in a comparison. */
export function threadName({ name }: ThreadClass): string {
  return name ?? 'a thread without a name';
}

function partName(rank: number | null, priority: number): string {
  return `${rank === null ? 'rank not recorded' : `rank ${rank}`}, priority ${priority}`;
}

function noSums(units: Units): SideSums {
  return {
    ns: units.none(),
    count: units.none(),
    threads: new Map(),
    parts: new Map(),
    lengths: new Map(),
    places: [],
  };
}

function addTo(sums: Map<string, number>, name: string, ns: number): void {
  sums.set(name, (sums.get(name) ?? 0) + ns);
}
