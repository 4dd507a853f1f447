import { EPISODE_TITLES, OWNER_LABELS } from '../causes/index.ts';
import { WHYS, type Why } from '../why-late/index.ts';
import { errorOfDifference, reach } from './bootstrap.ts';
import { judgeBounds, type Bound, type JudgedBound } from './bounds.ts';
import { WAITS, type Measure, type Place } from './cells.ts';
import { Differences, type Difference } from './difference.ts';
import { COMPARED_KINDS, whyNoEpisodes, type ComparedKind } from './episodes.ts';
import {
  gather,
  gatherLengths,
  gatherLives,
  LIFE_EVENTS,
  type Gathered,
  type LifeEvent,
  type Subject,
} from './gather.ts';
import type { Stretch } from '../tables/index.ts';
import { whyNoLives } from './lives.ts';
import { matchProcesses, type Matched, type Matching, type SideName } from './match.ts';
import { matchThreads, type MatchedThreads } from './matched-threads.ts';
import { notRecorded, type Measured } from './measure.ts';
import { lengthSide, UnitLengths, type LengthSide, type QuantileName } from './quantiles.ts';
import { recordingDifferences, type RecordingDifference } from './recorded.ts';
import { joinStacks, type ComparedStack, type StackNode } from './stacks.ts';
import type { Tie } from './ties.ts';
import { sumOf, Units } from './units.ts';

/** How sure a difference is. */
export interface Certainty {
  /** The interval of the difference, which holds together with those of all other rows in 95 of 100 comparisons. Infinite: none is known. */
  readonly low: number;
  readonly high: number;
  /** Zero is not within. */
  readonly is_sure: boolean;
  /** In how many seconds (or traces, where a side has several) there was something. */
  readonly n: number;
}

/** A part of a difference, in ns. */
export interface DifferencePart {
  readonly name: string;
  readonly a_ns: number;
  readonly b_ns: number;
  readonly delta_ns: number;
}

/** What shows a row on one side. */
export interface SideProof {
  /** Lengths of the runs, of the blocked waits, of the I/O (samples have none but their number), or of all ready waits of the process whatever their causes. */
  readonly lengths: LengthSide;
  /** What counts most, of different threads; `trace` is its number on the side. */
  readonly places: readonly (Place & { readonly trace: number })[];
  /** How many ns each block of time has (a second, or several of a long range), or each trace where a side has several. */
  readonly blocks_ns: readonly number[];
}

/** A row of what changed. Times are ns; those of A are for so long as a trace of B is. */
export interface Change extends Subject, Certainty {
  /** What it is, in words, without the process. */
  readonly what: string;
  readonly a_ns: number;
  readonly b_ns: number;
  readonly delta_ns: number;
  /** By thread, largest first; they add up to `delta_ns` but for blocked time and I/O. */
  readonly threads: readonly DifferencePart[];
  /** CPU time by rank and priority, sampled CPU time by function; largest first. */
  readonly parts: readonly DifferencePart[];
  readonly proof: Readonly<Record<SideName, SideProof>>;
}

/** A sum of all processes; the causes of ready time add up to all of it. */
export interface Total extends Certainty {
  readonly measure: Measure;
  readonly why: Why | null;
  readonly what: string;
  readonly a_ns: number;
  readonly b_ns: number;
  readonly delta_ns: number;
}

/** Context switches to the threads of a process; counts of A are for so long as a trace of B is. */
export interface SwitchChange extends Certainty {
  readonly process: number;
  readonly a: number;
  readonly b: number;
}

/** Starts or exits of processes that are alike, counted likewise. */
export interface LifeChange extends SwitchChange {
  readonly what: LifeEvent;
}

/** Lengths of ready waits on both sides; of all processes where `process` is null. */
export interface LengthChange {
  readonly process: number | null;
  readonly a: LengthSide;
  readonly b: LengthSide;
  /** Those of the quantiles that differ for sure. */
  readonly sure: readonly QuantileName[];
}

/** Lengths of the episodes of a kind on both sides. */
export interface EpisodeChange extends Omit<LengthChange, 'process'> {
  readonly kind: ComparedKind;
  readonly title: string;
}

/** What is known of a side. */
export interface SideAbout {
  readonly traces: readonly string[];
  /** The mean length of a trace in ns. */
  readonly length_ns: number;
  /** The range of each trace, in ns on its clock. */
  readonly ranges: readonly Stretch[];
  /** The length of each block of time (or trace) that {@link SideProof} tells of. */
  readonly blocks_ns: readonly number[];
}

/** What changed from A to B. */
export interface Comparison {
  readonly a: SideAbout;
  readonly b: SideAbout;
  /** In what the recordings differ: first, since no figure is better than these. */
  readonly recording: readonly RecordingDifference[];
  /** What cannot be compared, and what must be known to read the rest, as sentences. */
  readonly notes: readonly string[];
  readonly processes: readonly Matched[];
  readonly threads: readonly MatchedThreads[];
  readonly totals: readonly Total[];
  /** What is sure first, then by length. */
  readonly changes: readonly Change[];
  /** Whom others waited for, sorted likewise. These times are among those of `changes`, told by who made others wait. */
  readonly blame: readonly Change[];
  readonly switches: readonly SwitchChange[];
  readonly lives: readonly LifeChange[];
  readonly lengths: readonly LengthChange[];
  readonly episodes: readonly EpisodeChange[];
  readonly bounds: readonly JudgedBound[];
  /** The sampled stacks of both sides, of the processes that have any; none where a side recorded no samples. */
  readonly stacks: readonly ProcessStacks[];
}

/** The sampled stacks of a process. */
export interface ProcessStacks {
  readonly process: number;
  readonly root: ComparedStack;
}

const MEASURES: readonly Measure[] = ['cpu', 'ready', 'blocked', 'blame', 'samples', 'disk_io', 'file_io'];
/** Measures of which nothing is said where neither side recorded them: most recordings leave them out. */
const SPECIAL: ReadonlySet<Measure> = new Set(['samples', 'disk_io', 'file_io']);
const MEASURE_NAMES: Readonly<Record<Measure, string>> = {
  cpu: 'CPU time',
  ready: 'ready time',
  blocked: 'blocked time',
  blame: 'whom others waited for',
  samples: 'sampled CPU time',
  disk_io: 'disk I/O',
  file_io: 'file I/O',
};
/** A difference of less is one of rounding: of a time, and of a count. */
const NOTHING_NS = 0.5;
const NOTHING_COUNTED = 0.005;
/** Of so many processes the lengths of waits are told: those that waited most often. */
const LENGTHS_OF = 8;

/**
 * Of the chance that an interval of a report is wrong, so much is left to the list of what changed and its sums. Counts and blame, which
 * say the same in other words, have the rest.
 */
const LIST_PART = 0.9;

/** Of fewer traces an interval is so wide that next to nothing is sure. */
const TRACES_NEEDED = 4;

/** What the user asks of a comparison. */
export interface CompareOptions {
  readonly bounds?: readonly Bound[];
  readonly ties?: readonly Tie[];
}

/** Compares two sides, each one trace or several. Of ties that do not fit a note tells. */
export function compareTraces(
  a: readonly Measured[],
  b: readonly Measured[],
  { bounds = [], ties = [] }: CompareOptions = {},
): Comparison {
  const [unitsA, unitsB] = [new Units(a), new Units(b)];
  const differences = new Differences(unitsA, unitsB);
  const matching = matchProcesses(a, b, ties);
  const lacking = new Map(
    MEASURES.flatMap((measure) => {
      const why = whyNot(measure, a, b);
      return why === null ? [] : [[measure, why]];
    }),
  );
  // Waits of a process that is on one side alone have nothing to be set against.
  const isAlone = ({ measure, process }: Subject) =>
    WAITS.has(measure) && matching.matched[process]?.step === 'only';
  const gathered = gather(unitsA, unitsB, matching).filter(
    ({ subject }) => !lacking.has(subject.measure) && !isAlone(subject),
  );
  const isBlame = ({ subject }: Gathered) => subject.measure === 'blame';
  const withDifference = (each: Gathered) => ({ each, of: differenceOf(differences, each) });
  const rows = gathered.filter((each) => !isBlame(each)).map(withDifference);
  const blame = gathered.filter(isBlame).map(withDifference);
  const totals = totalsOf(differences, gathered);
  const switches = switchesOf(differences, gathered);
  const noLives = whyNoLives(a, b);
  const lives = noLives === null ? livesOf(differences, gatherLives(unitsA, unitsB, matching)) : [];
  const lengths = { a: gatherLengths('a', unitsA, matching), b: gatherLengths('b', unitsB, matching) };
  const many = (rows.length + totals.length) / LIST_PART;
  const manyOthers = (blame.length + switches.length + lives.length) / (1 - LIST_PART);
  const changesOf = (of: typeof rows, many: number): Change[] =>
    of
      .filter(({ of }) => Math.abs(of.delta) > NOTHING_NS)
      .map(({ each, of }) => ({
        ...changeOf(each, of, many, differences),
        proof: { a: proofOf(each, 'a', lengths.a), b: proofOf(each, 'b', lengths.b) },
        what: wordsOf(each.subject, matching.matched),
      }))
      .sort((x, y) => Number(y.is_sure) - Number(x.is_sure) || Math.abs(y.delta_ns) - Math.abs(x.delta_ns));
  const countsOf = <T extends { readonly of: Difference }>(counts: readonly T[]) =>
    counts
      .filter(({ of }) => Math.abs(of.delta) > NOTHING_COUNTED)
      .map(({ of, ...named }) => ({ ...named, a: of.a, b: of.b, ...certainty(of, manyOthers) }))
      .sort((x, y) => Number(y.is_sure) - Number(x.is_sure) || Math.abs(y.b - y.a) - Math.abs(x.b - x.a));
  const about = (units: Units): SideAbout => ({
    traces: units.traces.map(({ name }) => name),
    length_ns: units.traceLength_ns,
    ranges: units.traces.map(({ range }) => range),
    blocks_ns: [...units.lengths],
  });
  return {
    a: about(unitsA),
    b: about(unitsB),
    recording: recordingDifferences(
      a.map(({ recorded }) => recorded),
      b.map(({ recorded }) => recorded),
    ),
    notes: [
      ...matching.lost.map(tieNote),
      ...notesOf(unitsA, unitsB, matching.matched),
      ...lacking.values(),
      ...(noLives === null ? [] : [noLives]),
      ...COMPARED_KINDS.flatMap((kind) => whyNoEpisodes(kind, a, b) ?? []),
    ],
    processes: matching.matched,
    threads: matchThreads({ a, b }, matching),
    totals: totals.map(({ total, of }) => ({ ...total, ...numbersOf(of, many) })),
    changes: changesOf(rows, many),
    blame: changesOf(blame, manyOthers),
    switches: countsOf(switches),
    lives: countsOf(lives),
    lengths: lacking.has('ready') ? [] : lengthsOf(lengths, differences),
    episodes: episodesOf(a, b, differences),
    stacks: lacking.has('samples') ? [] : stacksOf(unitsA, unitsB, matching),
    bounds: judgeBounds(bounds, {
      gathered,
      lengths,
      differences,
      lacking,
      processes: matching.matched,
    }),
  };
}

function tieNote({ a, b }: Tie): string {
  return `The tie ${a} = ${b} is left out: A or B has no such process, or another tie has it.`;
}

/** What a row is, in words, without its process. */
function wordsOf({ measure, why, waker }: Subject, processes: readonly Matched[]): string {
  if (measure === 'cpu') return 'CPU time';
  if (measure === 'blame') return 'others waited for it';
  if (measure === 'ready') return readyWords(why as Why);
  if (measure === 'samples') return `sampled in ${why ?? ''}`;
  if (measure !== 'blocked') return `${measure === 'disk_io' ? 'disk' : 'file'}: ${why ?? ''}`;
  const by = waker === null ? 'a DPC' : (processes[waker]?.name ?? 'an unknown process');
  return `blocked: ${why ?? ''}, woken by ${by}`;
}

function readyWords(why: Why): string {
  const label = OWNER_LABELS[why];
  return label.startsWith('ready: ') ? label : `ready: ${label}`;
}

function whyNot(measure: Measure, a: readonly Measured[], b: readonly Measured[]): string | null {
  const of = (side: string, traces: readonly Measured[]) =>
    traces.flatMap((trace) => {
      const lacks = notRecorded(trace, measure);
      return lacks === null ? [] : [`${side} (${trace.name}) has ${lacks}`];
    });
  const lacking = [...of('A', a), ...of('B', b)];
  const [first] = lacking;
  if (SPECIAL.has(measure) && lacking.length === a.length + b.length) return null;
  return first === undefined ? null : `Not compared: ${MEASURE_NAMES[measure]}. ${first}.`;
}

function notesOf(a: Units, b: Units, matched: readonly Matched[]): string[] {
  const notes: string[] = [];
  if (!matched.some(({ step }) => step !== 'only'))
    notes.push('A and B have no process in common: each row is of one side alone.');
  const redacted = (units: Units) => units.traces.some(({ recorded }) => recorded.redacted !== null);
  if (redacted(a) !== redacted(b))
    notes.push('One side is redacted, the other is not: processes with pseudonyms cannot be matched.');
  else if (redacted(a) && !matched.some(({ image, step }) => image.startsWith('~') && step !== 'only'))
    notes.push(
      'Both sides are redacted, and no pseudonym is on both: they come from exports with different keys.',
    );
  for (const [side, { traces, areSure }] of [
    ['A', a],
    ['B', b],
  ] as const) {
    const holed = traces.filter(({ recorded: { facts } }) => (facts.get('gaps') ?? '0') !== '0');
    const of = traces.length === 1 ? '' : `, in ${holed.length} of ${traces.length} traces`;
    if (holed.length === 0) continue;
    const leftOut_ns = holed.reduce((sum, trace) => sum + trace.leftOut_ns, 0);
    if (leftOut_ns > 0)
      notes.push(
        `${side} has gaps in its recording${of}: ${seconds(leftOut_ns)} around these are not compared.`,
      );
    if (!areSure)
      notes.push(
        `${side} lacks more than 1 % of its events${of}, at times that are not known: nothing is sure.`,
      );
    else if (holed.some((trace) => trace.leftOut_ns === 0))
      notes.push(`${side} has gaps in its recording${of}: a difference may come from these alone.`);
  }
  const [lengthA, lengthB] = [a.traceLength_ns, b.traceLength_ns];
  if (Math.round(lengthA) !== Math.round(lengthB)) {
    const [wordsA, wordsB] = toldApart(lengthA, lengthB);
    notes.push(`A is ${wordsA} long, B ${wordsB}: sums of A are scaled to the length of B.`);
  }
  for (const [side, { areTraces, count }] of [
    ['A', a],
    ['B', b],
  ] as const)
    if (areTraces && count < TRACES_NEEDED)
      notes.push(`${side} has ${count} traces: they tell little of how traces differ. Four or more tell it.`);
  if (a.areTraces !== b.areTraces)
    notes.push(
      'One side has one trace: its interval rests on its seconds, and does not know how traces differ.',
    );
  return notes;
}

const seconds = (ns: number, digits = 3) => `${(ns / 1e9).toFixed(digits)} s`;

/** Two lengths that differ, in seconds with as many digits as tell them apart. */
function toldApart(a_ns: number, b_ns: number): readonly [a: string, b: string] {
  for (const digits of [3, 6]) {
    const [a, b] = [seconds(a_ns, digits), seconds(b_ns, digits)];
    if (a !== b) return [a, b];
  }
  return [seconds(a_ns, 9), seconds(b_ns, 9)];
}

function differenceOf(differences: Differences, { subject, a, b }: Gathered): Difference {
  return WAITS.has(subject.measure) ? differences.ofWaits(a, b) : differences.ofSums(a.ns, b.ns);
}

function certainty(of: Difference, many: number): Certainty {
  const far = reach(of, many);
  const [low, high] = [of.delta - far, of.delta + far];
  return { low, high, is_sure: low > 0 || high < 0, n: of.n };
}

function numbersOf(of: Difference, many: number) {
  return { a_ns: of.a, b_ns: of.b, delta_ns: of.delta, ...certainty(of, many) };
}

/** What sums of all traces of a side are multiplied by, to be for so long as a trace of B is. */
function scaleOf(a: Units, b: Units): { readonly a: number; readonly b: number } {
  return { a: b.traceLength_ns / (a.traceLength_ns * a.traces.length), b: 1 / b.traces.length };
}

function stacksOf(a: Units, b: Units, matching: Matching): ProcessStacks[] {
  const processes = new Map<number, Record<SideName, StackNode[]>>();
  for (const [side, { traces }] of [
    ['a', a],
    ['b', b],
  ] as const)
    for (const trace of traces)
      for (const [process, root] of trace.stacks) {
        const matched = matching.of(side, trace, process);
        const roots = processes.get(matched) ?? { a: [], b: [] };
        processes.set(matched, roots);
        roots[side].push(root);
      }
  const scale = scaleOf(a, b);
  return [...processes].map(([process, roots]) => ({
    process,
    root: joinStacks(roots.a, roots.b, scale),
  }));
}

function changeOf(
  { subject, a, b }: Gathered,
  of: Difference,
  many: number,
  { a: unitsA, b: unitsB }: Differences,
): Omit<Change, 'what' | 'proof'> {
  const scale = scaleOf(unitsA, unitsB);
  const parts = (key: 'threads' | 'parts'): DifferencePart[] =>
    [...new Set([...a[key].keys(), ...b[key].keys()])]
      .map((name) => {
        const [a_ns, b_ns] = [(a[key].get(name) ?? 0) * scale.a, (b[key].get(name) ?? 0) * scale.b];
        return { name, a_ns, b_ns, delta_ns: b_ns - a_ns };
      })
      .filter(({ delta_ns }) => Math.abs(delta_ns) > NOTHING_NS)
      .sort((x, y) => Math.abs(y.delta_ns) - Math.abs(x.delta_ns));
  return { ...subject, ...numbersOf(of, many), threads: parts('threads'), parts: parts('parts') };
}

const NO_LENGTHS: LengthSide = lengthSide(new Map(), 0);
/** So many places of a row are told on each side. */
const PLACES = 5;

function proofOf(gathered: Gathered, side: SideName, ofReady: ReadonlyMap<number, UnitLengths>): SideProof {
  const { measure, process } = gathered.subject;
  const { ns, count, lengths, places } = gathered[side];
  const byLength = [...places].sort((x, y) => y.counted_ns - x.counted_ns);
  const longest_ns = byLength.reduce((most, { ts, te }) => Math.max(most, te - ts), 0);
  const lengthsOf = (): LengthSide => {
    if (measure === 'ready') return ofReady.get(process)?.side ?? NO_LENGTHS;
    // A sample has no length.
    if (measure === 'samples') return { ...NO_LENGTHS, n: sumOf(count) };
    return lengthSide(lengths, longest_ns);
  };
  return {
    lengths: lengthsOf(),
    places: byLength.slice(0, PLACES),
    blocks_ns: [...ns],
  };
}

function totalsOf(differences: Differences, gathered: readonly Gathered[]) {
  const { a, b } = differences;
  const sums = (passes: (subject: Subject) => boolean) => {
    const total = { a: a.none(), b: b.none() };
    for (const { subject, ...sides } of gathered) {
      if (!passes(subject)) continue;
      for (const side of ['a', 'b'] as const)
        sides[side].ns.forEach((ns, unit) => (total[side][unit] = (total[side][unit] ?? 0) + ns));
    }
    return differences.ofSums(total.a, total.b);
  };
  const has = (measure: Measure) => gathered.some(({ subject }) => subject.measure === measure);
  const whys: readonly (Why | null)[] = [null, ...WHYS];
  const kinds = [
    ...(has('cpu') ? [{ measure: 'cpu' as const, why: null, what: 'CPU time' }] : []),
    ...(has('samples') ? [{ measure: 'samples' as const, why: null, what: 'sampled CPU time' }] : []),
    ...(has('ready') ? whys : []).map((why) => ({
      measure: 'ready' as const,
      why,
      what: why === null ? 'ready time' : readyWords(why),
    })),
  ];
  return kinds
    .map((total) => ({
      total,
      of: sums(({ measure, why }) => measure === total.measure && (total.why === null || why === total.why)),
    }))
    .filter(({ of }) => of.a > 0 || of.b > 0);
}

function switchesOf(differences: Differences, gathered: readonly Gathered[]) {
  return gathered
    .filter(({ subject }) => subject.measure === 'cpu')
    .map(({ subject: { process }, a, b }) => ({ process, of: differences.ofSums(a.count, b.count) }));
}

function livesOf(differences: Differences, gathered: ReturnType<typeof gatherLives>) {
  return gathered.flatMap(({ process, a, b }) =>
    LIFE_EVENTS.map((what) => ({ process, what, of: differences.ofSums(a[what], b[what]) })),
  );
}

function lengthsOf(
  lengths: { readonly a: ReadonlyMap<number, UnitLengths>; readonly b: ReadonlyMap<number, UnitLengths> },
  differences: Differences,
): LengthChange[] {
  const countOf = (process: number) =>
    (lengths.a.get(process)?.side.n ?? 0) + (lengths.b.get(process)?.side.n ?? 0);
  const processes = [...new Set([...lengths.a.keys(), ...lengths.b.keys()])]
    .sort((x, y) => countOf(y) - countOf(x))
    .slice(0, LENGTHS_OF);
  const many = 3 * (processes.length + 1);
  const rows = processes.map((process) => ({
    process,
    a: lengths.a.get(process) ?? null,
    b: lengths.b.get(process) ?? null,
  }));
  const together = (side: 'a' | 'b') => {
    const sum = new UnitLengths(differences[side]);
    for (const own of lengths[side].values()) sum.merge(own);
    return sum;
  };
  const all = { process: null, a: together('a'), b: together('b') };
  return [all, ...rows]
    .map(({ process, a, b }) => ({ process, ...lengthChange(a, b, differences, many) }))
    .filter(({ a, b }) => JSON.stringify(a) !== JSON.stringify(b));
}

/** The lengths of episodes, of the kinds that both sides recorded. */
function episodesOf(
  a: readonly Measured[],
  b: readonly Measured[],
  differences: Differences,
): EpisodeChange[] {
  const kinds = COMPARED_KINDS.filter((kind) => whyNoEpisodes(kind, a, b) === null);
  const of = (side: SideName, kind: ComparedKind) => {
    const lengths = new UnitLengths(differences[side]);
    for (const [trace, { episodes }] of { a, b }[side].entries()) {
      const own = episodes.get(kind);
      if (own !== undefined) lengths.add(trace, own);
    }
    return lengths;
  };
  return kinds
    .map((kind) => ({
      ...{ kind, title: EPISODE_TITLES[kind] },
      ...lengthChange(of('a', kind), of('b', kind), differences, 3 * kinds.length),
    }))
    .filter(({ a, b }) => JSON.stringify(a) !== JSON.stringify(b));
}

function lengthChange(
  a: UnitLengths | null,
  b: UnitLengths | null,
  { resamplers }: Differences,
  many: number,
): Omit<LengthChange, 'process'> {
  const names: readonly QuantileName[] = ['p50', 'p90', 'p99'];
  const of = (lengths: UnitLengths | null, side: 'a' | 'b') =>
    lengths === null ? names.map(() => null) : lengths.quantiles(names, resamplers[side]);
  const [ofA, ofB] = [of(a, 'a'), of(b, 'b')];
  const sideOf = (lengths: UnitLengths | null, estimates: typeof ofA): LengthSide => {
    const { n, max_ns } = lengths?.side ?? NO_LENGTHS;
    const [p50_ns = 0, p90_ns = 0, p99_ns = 0] = estimates.map((each) =>
      // Of no waits there is none. The middle of the last class may lie beyond the longest.
      each === null || Number.isNaN(each.value) ? 0 : Math.min(max_ns, Math.exp(each.value)),
    );
    return { n, p50_ns, p90_ns, p99_ns, max_ns };
  };
  const sure = names.filter((_, at) => {
    const [x, y] = [ofA[at], ofB[at]];
    if (x == null || y == null) return false;
    return Math.abs(y.value - x.value) > reach(errorOfDifference(x, y), many);
  });
  return { a: sideOf(a, ofA), b: sideOf(b, ofB), sure };
}
