import {
  CHANGE_WORDS,
  countIntervalWords,
  countWords,
  findingWords,
  foundWhere,
  intervalWords,
  lostWords,
  mostOf,
  STEP_WORDS,
  signedCount,
  signedDuration,
  verdict,
  type Certainty,
  type Change,
  type ComparedFindings,
  type Comparison,
  type JudgedBound,
  type LengthChange,
  type LengthSide,
  type Matched,
  type SideAbout,
  type SwitchChange,
} from '../../shared/compare/index.ts';
import { formatCount, formatDuration } from '../../shared/model/index.ts';
import { alignedTable } from './rows.ts';
import { shellWord } from './shell-word.ts';

/** A table of a report. */
interface Section {
  readonly title: string;
  readonly header: readonly string[];
  /** Which columns are numbers. */
  readonly numbers: readonly number[];
  readonly rows: readonly (readonly string[])[];
  /** How many rows are left out. */
  readonly left_out: number;
}

/** A comparison with what rules found; null where they were not asked. */
export interface Reported extends Comparison {
  readonly findings: ComparedFindings | null;
}

/** Where the traces of both sides lie. */
export interface Paths {
  readonly a: readonly string[];
  readonly b: readonly string[];
}

const RESULTS: Readonly<Record<JudgedBound['result'], string>> = {
  broken: 'BROKEN',
  kept: 'kept',
  cannot_tell: 'cannot tell',
  not_recorded: 'not recorded',
};

/** A comparison for a terminal. */
export function compareText(comparison: Reported, limit: number, paths: Paths): string[] {
  const tables = sections(comparison, limit).flatMap((section) => [
    `${section.title}\n`,
    ...[...alignedTable(section.header, section.rows, (column) => section.numbers.includes(column))].map(
      (line) => `  ${line}`,
    ),
    ...(section.left_out > 0 ? [`  ${formatCount(section.left_out)} more are not listed.\n`] : []),
    '\n',
  ]);
  return [
    `A  ${sideWords(comparison.a)}\nB  ${sideWords(comparison.b)}\n\n`,
    ...notesOf(comparison).map((note) => `${note}\n`),
    ...(notesOf(comparison).length > 0 ? ['\n'] : []),
    `${verdict(comparison)}\n\n`,
    ...tables,
    ...proofs(comparison, paths).map((line) => `${line}\n`),
  ];
}

/** A comparison for a report in Markdown. */
export function compareMarkdown(comparison: Reported, limit: number, paths: Paths): string[] {
  const cell = (text: string) =>
    text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' ').replace(/[\\|<>[\]`*_]/g, (mark) => `\\${mark}`);
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |\n`;
  const tables = sections(comparison, limit).flatMap(({ title, header, numbers, rows, left_out }) => [
    `### ${title}\n\n`,
    line(header),
    `|${header.map((_, column) => (numbers.includes(column) ? '---:' : '---')).join('|')}|\n`,
    ...rows.map(line),
    ...(left_out > 0 ? [`\n${formatCount(left_out)} more are not listed.\n`] : []),
    '\n',
  ]);
  const proof = proofs(comparison, paths);
  return [
    `## ${cell(comparison.a.traces.join(', '))} → ${cell(comparison.b.traces.join(', '))}\n\n`,
    ...notesOf(comparison).map((note) => `${cell(note)}\n\n`),
    `**${cell(verdict(comparison))}**\n\n`,
    ...tables,
    ...(proof.length > 0
      ? ['```text\n', ...proof.map((text) => `${text.replace(/`/g, "'")}\n`), '```\n']
      : []),
  ];
}

function notesOf({ notes, findings }: Reported): readonly string[] {
  return [...notes, ...(findings?.notes ?? [])];
}

function sideWords({ traces, length_ns }: SideAbout): string {
  const [first = '', ...more] = traces;
  const length = formatDuration(length_ns);
  if (more.length === 0) return `${first}, ${length}`;
  return `${formatCount(traces.length)} traces of ${length} on average: ${traces.join(', ')}`;
}

function sections(comparison: Reported, limit: number): readonly Section[] {
  const { recording, totals, changes, blame, switches, lives, lengths, episodes, processes, bounds } =
    comparison;
  const nameOf = (process: number) => processes[process]?.name ?? '';
  const [sure, unsure] = [changes.filter(isSure), changes.filter((change) => !isSure(change))];
  const header = ['B − A', 'between', 'A', 'B', 'process', 'what', 'most of it'];
  const changeRow = (change: Change) => [
    ...timeCells(change),
    nameOf(change.process) + onlyIn(processes[change.process]),
    change.what,
    mostOf(change),
  ];
  const all: readonly (Section | null)[] = [
    section('Bounds', ['bound', 'result', 'proof'], [], bounds.map(boundRow), Infinity),
    section(
      'The recordings differ',
      ['in', 'A', 'B'],
      [],
      recording.map(({ what, a, b }) => [what, a, b]),
      Infinity,
    ),
    section('What changed for sure', header, [0, 1, 2, 3], sure.map(changeRow), limit),
    section('What may have changed', header, [0, 1, 2, 3], unsure.map(changeRow), limit),
    findingSection(comparison, limit),
    section(
      'All processes: the causes add up to the ready time',
      ['B − A', 'between', 'A', 'B', 'what'],
      [0, 1, 2, 3],
      changes.length === 0
        ? []
        : totals.map((total) => [
            ...timeCells(total),
            total.measure === 'ready' && total.why !== null ? `  ${total.what}` : total.what,
          ]),
      Infinity,
    ),
    section(
      'How long ready waits were, A → B',
      ['process', 'n', 'p50', 'p90', 'p99', 'longest', 'sure'],
      [1, 2, 3, 4, 5],
      lengths.map(({ process, ...of }) => [process === null ? 'all' : nameOf(process), ...lengthCells(of)]),
      limit,
    ),
    section(
      'How long episodes were, A → B',
      ['episode', 'n', 'p50', 'p90', 'p99', 'longest', 'sure'],
      [1, 2, 3, 4, 5],
      episodes.map(({ title, ...of }) => [title, ...lengthCells(of)]),
      limit,
    ),
    section(
      'Whom others waited for',
      ['B − A', 'between', 'A', 'B', 'process', 'most of it'],
      [0, 1, 2, 3],
      blame.map((change) => [
        ...timeCells(change),
        nameOf(change.process) + onlyIn(processes[change.process]),
        mostOf(change),
      ]),
      limit,
    ),
    section(
      'Context switches',
      ['B − A', 'between', 'A', 'B', 'process'],
      [0, 1, 2, 3],
      switches.map((change) => [...countCells(change), nameOf(change.process)]),
      limit,
    ),
    section(
      'Starts and exits of processes',
      ['B − A', 'between', 'A', 'B', 'process', 'what'],
      [0, 1, 2, 3],
      lives.map((change) => [...countCells(change), nameOf(change.process), change.what]),
      limit,
    ),
    section(
      'Processes that are on one side alone, or not as many',
      ['process', 'A', 'B'],
      [1, 2],
      processes
        .filter(({ a_count, b_count }) => a_count !== b_count)
        .map(({ name, a_count, b_count }) => [name, countWords(a_count), countWords(b_count)]),
      limit,
    ),
    section(
      'How processes were matched',
      ['by', 'processes'],
      [1],
      changes.length === 0 ? [] : stepRows(processes),
      Infinity,
    ),
  ];
  return all.filter((each) => each !== null);
}

/** Findings that are new, gone, or cost much more on one side. */
function findingSection({ findings, a, b }: Reported, limit: number): Section | null {
  const rows = (findings?.changes ?? []).map((change) => [
    CHANGE_WORDS[change.change] + (change.is_sure ? ', sure' : ''),
    lostWords(change.a, a.traces.length),
    lostWords(change.b, b.traces.length),
    change.title,
    foundWhere(change),
    findingWords(change),
  ]);
  return section(
    'Findings',
    ['in B', 'lost in A', 'lost in B', 'finding', 'where', 'says'],
    [1, 2],
    rows,
    limit,
  );
}

/** The difference of times, its interval, and both sides. */
function timeCells(of: Certainty & Pick<Change, 'a_ns' | 'b_ns' | 'delta_ns'>): readonly string[] {
  return [signedDuration(of.delta_ns), intervalWords(of), formatDuration(of.a_ns), formatDuration(of.b_ns)];
}

/** The difference of counts, likewise. */
function countCells(of: SwitchChange): readonly string[] {
  return [signedCount(of.b - of.a), countIntervalWords(of), countWords(of.a), countWords(of.b)];
}

const isSure = ({ is_sure }: { readonly is_sure: boolean }) => is_sure;

function section(
  title: string,
  header: readonly string[],
  numbers: readonly number[],
  rows: readonly (readonly string[])[],
  limit: number,
): Section | null {
  if (rows.length === 0) return null;
  return { title, header, numbers, rows: rows.slice(0, limit), left_out: Math.max(0, rows.length - limit) };
}

function boundRow({ text, result, proof }: JudgedBound): readonly string[] {
  return [text, RESULTS[result], proof];
}

function onlyIn(process: Matched | undefined): string {
  if (process?.step !== 'only') return '';
  return process.a_count > 0 ? ' (only in A)' : ' (only in B)';
}

function lengthCells({ a, b, sure }: Omit<LengthChange, 'process'>): string[] {
  const told = (side: LengthSide, of: (side: LengthSide) => number) =>
    side.n === 0 ? '–' : formatDuration(of(side));
  const both = (of: (side: LengthSide) => number) => `${told(a, of)} → ${told(b, of)}`;
  return [
    `${formatCount(a.n)} → ${formatCount(b.n)}`,
    both(({ p50_ns }) => p50_ns),
    both(({ p90_ns }) => p90_ns),
    both(({ p99_ns }) => p99_ns),
    both(({ max_ns }) => max_ns),
    sure.join(', '),
  ];
}

function stepRows(processes: readonly Matched[]): readonly (readonly string[])[] {
  const steps = ['tied', 'command_and_parent', 'command', 'image', 'only'] as const;
  return steps
    .map((step) => [STEP_WORDS[step], formatCount(processes.filter((each) => each.step === step).length)])
    .filter(([, many]) => many !== '0');
}

/** Commands that show the largest differences in both traces. */
function proofs({ changes, processes }: Comparison, paths: Paths): readonly string[] {
  const [a, b] = [paths.a[0] ?? '', paths.b[0] ?? ''];
  const shown = new Map<string, readonly string[]>();
  for (const { process, measure } of changes) {
    const image = processes[process]?.image ?? '';
    const view = PROOF_VIEWS[measure];
    const of = (trace: string) =>
      `  outrank view ${view ?? ''} ${shellWord(trace)} --param ${shellWord(`process=${image}`)}`;
    if (view !== null && shown.size < PROOFS) shown.set(`${view} ${image}`, [of(a), of(b)]);
  }
  return shown.size === 0 ? [] : ['The largest of these, in both traces:', ...[...shown.values()].flat()];
}

const PROOFS = 2;

/** The view whose filter by process shows what a measure is of; null where none does. */
const PROOF_VIEWS: Readonly<Record<Change['measure'], string | null>> = {
  cpu: 'context-switches',
  ready: 'ready-latency',
  blocked: null,
  blame: null,
  samples: 'cpu-sampled',
  disk_io: 'io',
  file_io: 'io',
};
