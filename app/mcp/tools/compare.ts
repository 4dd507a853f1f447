import * as z from 'zod';
import {
  CHANGE_WORDS,
  compareFindings,
  compareTraces,
  countIntervalWords,
  findingWords,
  foundWhere,
  intervalWords,
  mostOf,
  readTie,
  isLacking,
  verdict,
  type Change,
  type ComparedFindings,
  type Comparison,
  type FoundIn,
  type LifeChange,
  type Measured,
  type Tie,
} from '../../../shared/compare/index.ts';
import { COMPARE_PAGE } from '../../../shared/link/index.ts';
import type { TimeRange, ViewTable } from '../../../shared/view/index.ts';
import { measureTrace } from '../../questions/measure-trace.ts';
import type { OpenTrace } from '../../host/api.ts';
import type { NextCall } from '../answer.ts';
import { tableOf } from '../table.ts';
import { findAll } from './findings.ts';
import { COMMON, makeTool, sameTrace, STRETCH, stretchOf, TOP, type Sources } from '../tool.ts';

const NAME = z.string().max(4096);
const NAMES = z.union([NAME, z.array(NAME).min(1).max(100)]);

/** A trace of a side, as it was named and measured. */
interface Side {
  readonly name: string | undefined;
  readonly opened: OpenTrace;
  readonly range: TimeRange;
  readonly measured: Measured;
}

/** What changed from one trace to another, or from some to others. */
export const compare = makeTool({
  name: 'compare',
  title: 'Compare traces',
  description:
    'What changed from the trace before (A) to the trace after (B), or from several to several: CPU time, ready time by cause, blocked time by wait reason and waker, sampled CPU time by module, I/O by kind, of each process, with an interval. Several traces a side tell how runs differ by themselves. A row whose interval holds zero says that nothing can be told.',
  takes: {
    ...COMMON,
    before: NAMES.describe('name or path of the trace before, or a list of them: A'),
    after: NAMES.optional().describe(
      'likewise: B; may be left out where the server was started with one trace',
    ),
    before_from: STRETCH.from.describe('where the range of each trace before begins; all of it if left out'),
    before_to: STRETCH.to.describe('where it ends'),
    after_from: STRETCH.from.describe('where the range of each trace after begins'),
    after_to: STRETCH.to.describe('where it ends'),
    ties: z
      .array(z.string().max(300))
      .max(50)
      .default([])
      .describe('processes that are the same on both sides, such as "old.exe=new.exe"'),
    top: TOP,
  },
  async answer(sources, given, say) {
    const a = await measure(sources, given.before, { from: given.before_from, to: given.before_to }, say);
    const b = await measure(sources, given.after, { from: given.after_from, to: given.after_to }, say);
    const [measuredA, measuredB] = [a, b].map((side) => side.map(({ measured }) => measured));
    const ties = given.ties.map((text) => readTie(text, measuredA ?? [], measuredB ?? []));
    const comparison = compareTraces(measuredA ?? [], measuredB ?? [], { ties });
    const findings =
      a.length === 1 && b.length === 1 ? await changedFindings(sources, a, b, ties, say) : null;
    const [last] = b;
    return {
      of: comparison.b.traces.join(', '),
      ...(last !== undefined && a.length === 1 && b.length === 1 && { opened: last.opened }),
      says: [verdict(comparison), ...comparison.notes.filter((note) => !isLacking(note))],
      tables: [
        sideTable(comparison),
        recordingTable(comparison),
        changeTable('What changed', comparison.changes, comparison),
        findingTable(findings),
        changeTable('Whom others waited for', comparison.blame, comparison),
        countTable('Starts and exits of processes', comparison.lives, comparison),
        totalTable(comparison),
        onlyTable(comparison),
      ].filter(({ rows }) => rows.length > 0),
      top: given.top,
      left_out: [
        'Callers of sampled functions and hard faults are not compared.',
        ...(findings === null ? ['Findings of several traces a side: outrank compare --findings.'] : []),
        'Not listed: lengths of ready waits and of episodes, and numbers of context switches. The page of the link and outrank compare have them.',
        ...[...a, ...b].flatMap(({ opened: { name, warnings } }) =>
          warnings.map((warning) => `Damage or loss in ${name}: ${warning}`),
        ),
      ],
      evidence: [
        a.length > 1 && b.length > 1
          ? 'The intervals tell how the traces of a side differ: all hold together in 95 of 100 comparisons.'
          : 'Seconds are drawn anew 400 times (a bootstrap): all intervals hold together in 95 of 100 comparisons.',
        'Processes are matched by image, command line and parent; ids tell nothing in another trace.',
      ],
      not_concluded: [
        'A difference between two runs is no proof of a cause: how runs differ by themselves is known from several traces a side alone.',
      ],
      not_recorded: [...comparison.notes.filter(isLacking), ...(findings?.notes ?? [])],
      next: nextOf(comparison, { a, b }),
      ...(a.length === 1 && b.length === 1 && { place: placeOf(a, b) }),
    };
  },
});

/** Measures the traces of a side one after the other, so that memory holds few. */
async function measure(
  { trace }: Sources,
  names: z.infer<typeof NAMES> | undefined,
  stretch: { readonly from?: number | string | undefined; readonly to?: number | string | undefined },
  say: (message: string) => void,
): Promise<readonly Side[]> {
  const sides: Side[] = [];
  const all = Array.isArray(names) ? names : [names];
  for (const name of all) {
    const { opened, summary, query } = await trace(name);
    const range = stretchOf(summary.range, stretch);
    const question = { name: opened.name, range };
    say(`measuring ${opened.name}`);
    const measured = await measureTrace(query, question, () => undefined);
    sides.push({ name, opened, range, measured });
  }
  return sides;
}

/** Which findings are new or gone. */
async function changedFindings(
  { trace }: Sources,
  a: readonly Side[],
  b: readonly Side[],
  ties: readonly Tie[],
  say: (message: string) => void,
): Promise<ComparedFindings> {
  const find = async (side: readonly Side[]) => {
    const found: FoundIn[] = [];
    for (const { name, opened, range } of side) {
      say(`rules look at ${opened.name}`);
      found.push({ name: opened.name, range, found: await findAll(await trace(name)) });
    }
    return found;
  };
  return compareFindings(await find(a), await find(b), ties);
}

/** The page that compares the same. */
function placeOf([a]: readonly Side[], [b]: readonly Side[]) {
  if (a === undefined || b === undefined) return {};
  const params = {
    other: a.opened.id,
    other_name: a.opened.name,
    other_is: 'a',
    from_a: a.range.start,
    to_a: a.range.end,
    from_b: b.range.start,
    to_b: b.range.end,
  };
  return { view: COMPARE_PAGE, params };
}

/** So many differences are followed to where they are. */
const FOLLOWED = 2;
/** The measures that a thread's time explains. */
const EXPLAINED: ReadonlySet<Change['measure']> = new Set(['cpu', 'ready', 'blocked']);

/** What explains the largest sure differences, on the side that has more of each. */
function nextOf(
  { changes }: Comparison,
  sides: Readonly<Record<'a' | 'b', readonly Side[]>>,
): readonly NextCall[] {
  return changes
    .filter(({ is_sure, measure }) => is_sure && EXPLAINED.has(measure))
    .slice(0, FOLLOWED)
    .flatMap((change, at) => {
      const side = change.delta_ns > 0 ? 'b' : 'a';
      const [place] = change.proof[side].places;
      const of = sides[side][place?.trace ?? 0];
      if (place === undefined || of === undefined) return [];
      const { tid, ts, te } = place;
      const nth = ['largest', 'next'][at] ?? '';
      const call = {
        tool: 'explain',
        arguments: { tid, from: ts, to: te },
        why: `where the ${nth} sure difference is seen most, in ${side === 'a' ? 'A' : 'B'}: where that time went`,
      };
      return [sameTrace(call, of.name)];
    });
}

function sideTable({ a, b }: Comparison): ViewTable {
  const rows = [a, b].flatMap(({ traces, ranges }, side) =>
    traces.map((trace, at) => [
      side === 0 ? 'A' : 'B',
      trace,
      ...[ranges[at]?.start ?? null, ranges[at]?.end ?? null],
    ]),
  );
  return tableOf('Sides', { side: 'text', trace: 'text', from_ns: 'time_ns', to_ns: 'time_ns' }, rows);
}

function onlyTable({ processes }: Comparison): ViewTable {
  const rows = processes
    .filter(({ a_count, b_count }) => a_count !== b_count)
    .map(({ name, a_count, b_count }) => [name, a_count, b_count]);
  return tableOf(
    'Processes that are on one side alone, or not as many',
    { process: 'text', a: 'number', b: 'number' },
    rows,
  );
}

function recordingTable({ recording }: Comparison): ViewTable {
  const rows = recording.map(({ what, a, b }) => [what, a, b]);
  return tableOf('The recordings differ', { in: 'text', a: 'text', b: 'text' }, rows);
}

function changeTable(title: string, changes: readonly Change[], { processes }: Comparison): ViewTable {
  const rows = changes.map((change) => [
    change.delta_ns,
    intervalWords(change),
    change.a_ns,
    change.b_ns,
    processes[change.process]?.name ?? null,
    change.what,
    mostOf(change),
  ]);
  return tableOf(
    title,
    {
      delta_ns: 'duration_ns',
      between: 'text',
      a_ns: 'duration_ns',
      b_ns: 'duration_ns',
      process: 'text',
      what: 'text',
      most_of_it: 'text',
    },
    rows,
  );
}

function findingTable(findings: ComparedFindings | null): ViewTable {
  const rows = (findings?.changes ?? []).map((change) => [
    CHANGE_WORDS[change.change],
    change.a.seconds_lost,
    change.b.seconds_lost,
    change.title,
    foundWhere(change),
    findingWords(change),
  ]);
  return tableOf(
    'Findings of one side alone, or that cost much more there',
    {
      in_b: 'text',
      a_seconds_lost: 'number',
      b_seconds_lost: 'number',
      finding: 'text',
      where: 'text',
      says: 'text',
    },
    rows,
  );
}

function countTable(title: string, lives: readonly LifeChange[], { processes }: Comparison): ViewTable {
  const rows = lives.map((change) => [
    change.b - change.a,
    countIntervalWords(change),
    change.a,
    change.b,
    processes[change.process]?.name ?? null,
    change.what,
  ]);
  return tableOf(
    title,
    { delta: 'number', between: 'text', a: 'number', b: 'number', process: 'text', what: 'text' },
    rows,
  );
}

function totalTable({ totals }: Comparison): ViewTable {
  const rows = totals.map((total) => [
    total.delta_ns,
    intervalWords(total),
    total.a_ns,
    total.b_ns,
    total.what,
  ]);
  return tableOf(
    'All processes',
    { delta_ns: 'duration_ns', between: 'text', a_ns: 'duration_ns', b_ns: 'duration_ns', what: 'text' },
    rows,
  );
}
