import { WHYS, type Why } from '../why-late/index.ts';
import { judgeBounds, type Bound } from './bounds.ts';
import { WAITS, type Measure } from './cells.ts';
import { certainty, numbersOf } from './certainty.ts';
import { changeOf, differenceOf, NOTHING_NS, proofOf, readyWords, wordsOf } from './change-rows.ts';
import type { Change, Comparison, ProcessStacks, SideAbout } from './comparison.ts';
import { Differences, type Difference } from './difference.ts';
import { COMPARED_KINDS, whyNoEpisodes } from './episodes.ts';
import { gather, gatherLengths, gatherLives, LIFE_EVENTS, type Gathered, type Subject } from './gather.ts';
import { episodesOf, lengthsOf } from './length-changes.ts';
import { whyNoLives } from './lives.ts';
import { matchProcesses, type Matching, type SideName } from './match.ts';
import { matchThreads } from './matched-threads.ts';
import type { Measured } from './measure.ts';
import { lackingMeasures, notesOf, tieNote } from './notes.ts';
import { recordingDifferences } from './recorded.ts';
import { joinStacks, type StackNode } from './stacks.ts';
import type { Tie } from './ties.ts';
import { scaleOf, Units } from './units.ts';

/** A difference of counts of less is one of rounding. */
const NOTHING_COUNTED = 0.005;
/**
 * Of the chance that an interval of a report is wrong, so much is left to the list of what changed and its sums. Counts and blame, which
 * say the same in other words, have the rest.
 */
const LIST_PART = 0.9;

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
  const lacking = lackingMeasures(a, b);
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
