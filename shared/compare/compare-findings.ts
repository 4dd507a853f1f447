import type { Finding, ToldFindings } from '../findings/index.ts';
import type { Stretch } from '../tables/index.ts';
import { errorOfDifference, reach, type Estimate } from './bootstrap.ts';
import type { SideName } from './match.ts';
import { imageOf, type Tie } from './ties.ts';

/** What rules found in a trace of a side. */
export interface FoundIn {
  /** What the trace is called. */
  readonly name: string;
  /** What is compared of it; a finding that lies outside does not count. */
  readonly range: Stretch;
  readonly found: ToldFindings;
}

/** What one side has of a finding. */
export interface FindingSide {
  /** In how many of its traces it was found. */
  readonly traces: number;
  /** The seconds lost by it in a trace, on average; of A for so long as a trace of B is. */
  readonly seconds_lost: number;
  /** The one that cost most; null where there is none. */
  readonly worst: WorstFinding | null;
}

/** A finding, and the trace that has it, by its number on the side. */
export interface WorstFinding {
  readonly trace: number;
  readonly finding: Finding;
  /** What it says: where it is the head of a story, who was the culprit first. */
  readonly sentence: string;
}

/** A finding that one side has, or that costs much more on one side. */
export interface FindingChange {
  /** The rule's id and its title. */
  readonly rule: string;
  readonly title: string;
  /** Whom it is about, by names that other recordings have too; null where it is about the machine. */
  readonly process: string | null;
  readonly thread: string | null;
  readonly change: 'new' | 'gone' | 'more' | 'less';
  /** Several traces a side tell that it is no chance. */
  readonly is_sure: boolean;
  /** How many others of the changes it explains, which are not listed. */
  readonly explains: number;
  readonly a: FindingSide;
  readonly b: FindingSide;
}

/** What rules find on one side and not on the other. */
export interface ComparedFindings {
  /** What is sure first, then by the seconds lost. */
  readonly changes: readonly FindingChange[];
  /** How many findings both sides have, of like cost. */
  readonly alike: number;
  /** Rules that some of the traces alone could be asked, as sentences. */
  readonly notes: readonly string[];
}

/** Of both sides, what costs no more than this times as much is alike, unless several traces tell a difference. */
const ALIKE = 1.5;
/** Of fewer traces a side nothing is sure. */
const TRACES_NEEDED = 4;

type Sides<T> = Readonly<Record<SideName, T>>;

/** The findings of one rule about one thread or process, of all traces. */
interface Told {
  readonly finding: Finding;
  /** The seconds lost, by the number of the trace that has any. */
  readonly lost_s: Sides<Map<number, number>>;
  readonly worst: Record<SideName, WorstFinding | null>;
  /** What explains the worst of each side, by its key; null where nothing does. */
  readonly head: Record<SideName, string | null>;
}

/**
 * Compares what rules found: findings are the same that are of one rule, and about a process, and a thread, of the same name. A rule that
 * could not be asked of each trace is left out.
 */
export function compareFindings(
  a: readonly FoundIn[],
  b: readonly FoundIn[],
  ties: readonly Tie[] = [],
): ComparedFindings {
  const sides = { a, b };
  const told = new Map<string, Told>();
  const isAsked = askedOfAll([...a, ...b]);
  for (const side of ['a', 'b'] as const)
    for (const trace of sides[side].keys()) tell(told, sides, side, trace, isAsked, side === 'a' ? ties : []);
  const scale = lengthOf(a) === 0 ? 1 : lengthOf(b) / lengthOf(a);
  const counts = { a: a.length, b: b.length };
  const changes = new Map<string, FindingChange>();
  for (const [key, each] of told) {
    const change = changeOf(each, counts, scale, told.size);
    if (change !== null) changes.set(key, change);
  }
  return {
    changes: headsOf(changes, told).sort(
      (x, y) => Number(y.is_sure) - Number(x.is_sure) || costOf(y) - costOf(x),
    ),
    alike: told.size - changes.size,
    notes: notAsked(sides),
  };
}

/** Adds the findings of a trace that lie in its range. */
function tell(
  told: Map<string, Told>,
  sides: Sides<readonly FoundIn[]>,
  side: SideName,
  trace: number,
  isAsked: (rule: string) => boolean,
  ties: readonly Tie[],
): void {
  const of = sides[side][trace];
  if (of === undefined) return;
  const { findings, stories } = of.found;
  const storyOf = new Map(
    stories.flatMap((story) => [story.finding, ...story.explains].map((at) => [at, story])),
  );
  for (const [place, finding] of findings.entries()) {
    const { span } = finding.where;
    if (!isAsked(finding.rule) || span.end < of.range.start || span.start >= of.range.end) continue;
    const key = keyOf(finding, ties);
    const none: Told = {
      finding,
      lost_s: { a: new Map(), b: new Map() },
      worst: { a: null, b: null },
      head: { a: null, b: null },
    };
    const { lost_s, worst, head } = told.get(key) ?? none;
    if (!told.has(key)) told.set(key, none);
    lost_s[side].set(trace, (lost_s[side].get(trace) ?? 0) + finding.seconds_lost);
    if (finding.seconds_lost < (worst[side]?.finding.seconds_lost ?? 0)) continue;
    const story = storyOf.get(place);
    const explaining = findings[story?.finding ?? place];
    const isHead = explaining === undefined || explaining === finding;
    worst[side] = {
      trace,
      finding,
      sentence: isHead ? (story?.sentence ?? finding.sentence) : finding.sentence,
    };
    head[side] = isHead ? null : keyOf(explaining, ties);
  }
}

/** The changes without those that another one of the same direction explains. */
function headsOf(
  changes: ReadonlyMap<string, FindingChange>,
  told: ReadonlyMap<string, Told>,
): FindingChange[] {
  const explained = new Map<string, number>();
  const heads: [string, FindingChange][] = [];
  for (const [key, change] of changes) {
    const head = told.get(key)?.head[sideOf(change)] ?? null;
    const by = head === null ? undefined : changes.get(head);
    if (head === null || head === key || by === undefined || sideOf(by) !== sideOf(change))
      heads.push([key, change]);
    else explained.set(head, (explained.get(head) ?? 0) + 1);
  }
  return heads.map(([key, change]) => ({ ...change, explains: explained.get(key) ?? 0 }));
}

/** The side that lost more by a finding. */
export function sideOf({ change }: FindingChange): SideName {
  return change === 'new' || change === 'more' ? 'b' : 'a';
}

function costOf({ a, b }: FindingChange): number {
  return Math.abs(b.seconds_lost - a.seconds_lost);
}

/** What a finding is called in any recording; of A by the name that its process has in B. */
function keyOf({ rule, where: { process, thread } }: Finding, ties: readonly Tie[]): string {
  const image = process?.toLowerCase() ?? null;
  const tie = ties.find((each) => imageOf(each.a).toLowerCase() === image);
  return JSON.stringify([rule, tie === undefined ? image : imageOf(tie.b).toLowerCase(), thread]);
}

/** How two sides differ in a finding; null where they are alike. */
function changeOf(
  { finding, lost_s, worst }: Told,
  counts: Sides<number>,
  scale: number,
  many: number,
): FindingChange | null {
  const [ofA, ofB] = [meanOf(lost_s.a, counts.a, scale), meanOf(lost_s.b, counts.b, 1)];
  const delta = ofB.value - ofA.value;
  const isTold = Math.min(counts.a, counts.b) >= TRACES_NEEDED;
  const is_sure = isTold && Math.abs(delta) > reach(errorOfDifference(ofA, ofB), many);
  const [less, more] = [Math.min(ofA.value, ofB.value), Math.max(ofA.value, ofB.value)];
  const isOnBoth = worst.a !== null && worst.b !== null;
  if (isOnBoth && !is_sure && more <= ALIKE * less) return null;
  const grown = delta > 0 ? 'more' : 'less';
  const { rule, title } = finding;
  const { process, thread } = (worst.b?.finding ?? finding).where;
  return {
    ...{ rule, title, process, thread, is_sure, explains: 0 },
    change: worst.a === null ? 'new' : worst.b === null ? 'gone' : grown,
    a: { traces: lost_s.a.size, seconds_lost: ofA.value, worst: worst.a },
    b: { traces: lost_s.b.size, seconds_lost: ofB.value, worst: worst.b },
  };
}

/** The mean of so many traces, with its standard error. A trace without a value counts as 0. */
function meanOf(lost_s: ReadonlyMap<number, number>, count: number, scale: number): Estimate {
  const values = Array.from({ length: count }, (_, trace) => (lost_s.get(trace) ?? 0) * scale);
  const value = values.reduce((sum, each) => sum + each, 0) / Math.max(1, count);
  if (count < 2) return { value, error: Infinity, df: 1 };
  const squares = values.reduce((sum, each) => sum + (each - value) ** 2, 0);
  return { value, error: Math.sqrt(squares / (count - 1) / count), df: count - 1 };
}

function lengthOf(traces: readonly FoundIn[]): number {
  return traces.reduce((sum, { range }) => sum + range.end - range.start, 0) / Math.max(1, traces.length);
}

const hasAsked = ({ checked }: ToldFindings, rule: string) => checked.some(({ id }) => id === rule);

function askedOfAll(traces: readonly FoundIn[]): (rule: string) => boolean {
  return (rule) => traces.every(({ found }) => hasAsked(found, rule));
}

/** Rules that some traces could be asked, and others not. */
function notAsked({ a, b }: Sides<readonly FoundIn[]>): string[] {
  const named = (side: string, traces: readonly FoundIn[]) =>
    traces.map(({ name, found }) => ({ name: `${side} (${name})`, found }));
  const all = [...named('A', a), ...named('B', b)];
  const rules = new Map(all.flatMap(({ found }) => found.checked.map(({ id, title }) => [id, title])));
  return [...rules].flatMap(([rule, title]) => {
    const lacking = all.find(({ found }) => !hasAsked(found, rule));
    if (lacking === undefined) return [];
    const needs = lacking.found.not_checked.find(({ id }) => id === rule)?.needs ?? [];
    const lacks = needs.length === 0 ? 'the rule failed' : `it needs ${needs.join('; and ')}`;
    return [`Not compared: findings of "${title}". For ${lacking.name} ${lacks}.`];
  });
}
