import {
  countIntervalWords,
  countWords,
  intervalWords,
  mostOf,
  signedCount,
  STEP_WORDS,
  type Certainty,
  type Change,
  type Comparison,
  type EpisodeChange,
  type LengthSide,
  type LifeChange,
  type Matched,
  type SwitchChange,
} from '../../shared/compare/index.ts';
import { formatCount, formatDuration } from '../../shared/model/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { column, makeTable, type Column } from '../kit/index.ts';

const BETWEEN =
  'Where the difference lies; all intervals hold together in 95 of 100 comparisons. Cannot tell: zero is within; n seconds had something.';

const nameOf = ({ processes }: Comparison, process: number | null) =>
  process === null ? 'all' : (processes[process]?.name ?? '');

function onlyIn(process: Matched | undefined): string {
  if (process?.step !== 'only') return '';
  return process.a_count > 0 ? ' (only in A)' : ' (only in B)';
}

const timeColumns: readonly Column<
  Certainty & { readonly a_ns: number; readonly b_ns: number; readonly delta_ns: number }
>[] = [
  column('delta_ns', 'B − A', 'duration_ns', 'The time of B less that of A.', ({ delta_ns }) => delta_ns),
  column('between', 'Between', 'text', BETWEEN, intervalWords),
  column('a_ns', 'A', 'duration_ns', 'The time in A, for so long as B is.', ({ a_ns }) => a_ns),
  column('b_ns', 'B', 'duration_ns', 'The time in B.', ({ b_ns }) => b_ns),
];

/** Lengths of both sides, one column each. */
function lengthColumns<T>(
  names: readonly (keyof LengthSide)[],
  of: (row: T) => { readonly a: LengthSide; readonly b: LengthSide },
): Column<T>[] {
  const both = (name: keyof LengthSide, title: string, help: string) =>
    column<T>(name, title, 'text', help, (row) => {
      const { a, b } = of(row);
      // A sample has no length.
      if (a.max_ns === 0 && b.max_ns === 0 && name !== 'n') return null;
      const told = (side: LengthSide) => {
        if (name === 'n') return formatCount(side.n);
        return side.n === 0 ? '–' : formatDuration(side[name]);
      };
      return `${told(a)} → ${told(b)}`;
    });
  const each = 'of the runs, the blocked waits or the I/O, or of all ready waits of the process; A → B.';
  return [
    both('n', 'n', `How many there are: ${each}`),
    both('p50_ns', 'p50', `Half of them are no longer: ${each}`),
    both('p90_ns', 'p90', `90 of 100 are no longer: ${each}`),
    both('p99_ns', 'p99', `99 of 100 are no longer: ${each}`),
    both('max_ns', 'Longest', `The longest: ${each}`),
  ].filter(({ name }) => names.includes(name as keyof LengthSide));
}

/** What changed, what is sure first. */
export function changeTable(comparison: Comparison): ViewTable {
  const { processes, changes } = comparison;
  return makeTable<Change>(
    'What changed',
    [
      ...timeColumns,
      column(
        'process',
        'Process',
        'text',
        'What was matched on both sides, or is on one side alone.',
        ({ process }) => nameOf(comparison, process) + onlyIn(processes[process]),
      ),
      column(
        'what',
        'What',
        'text',
        'CPU time, ready time by cause, blocked time by wait reason and waker, sampled CPU time by module, I/O by kind.',
      ),
      // The proof has the other lengths: this list must fit next to the list of views.
      ...lengthColumns<Change>(['n', 'p99_ns', 'max_ns'], ({ proof }) => ({
        a: proof.a.lengths,
        b: proof.b.lengths,
      })),
      column(
        'most',
        'Most of it',
        'text',
        'The thread; of CPU time the rank and priority, of samples the function.',
        mostOf,
      ),
    ],
    changes,
  );
}

/** Whom others waited for, what is sure first. */
export function blameTable(comparison: Comparison): ViewTable {
  const { processes } = comparison;
  return makeTable<Change>(
    'Whom others waited for',
    [
      column(
        'process',
        'Process',
        'text',
        'For whose threads others waited; all who waited are added up. The same waits stand above, by who waited.',
        ({ process }) => nameOf(comparison, process) + onlyIn(processes[process]),
      ),
      ...timeColumns,
      column('most', 'Most of it', 'text', 'The thread.', mostOf),
    ],
    comparison.blame,
  );
}

/** In what the recordings differ. */
export function recordingTable({ recording }: Comparison): ViewTable {
  const side = (name: 'a' | 'b') =>
    column<'a' | 'b'>(name, name.toUpperCase(), 'text', 'What that recording says.');
  return makeTable<Comparison['recording'][number]>(
    'The recordings differ',
    [column('what', 'In', 'text', 'What is not the same.'), side('a'), side('b')],
    recording,
  );
}

/** Sums of all processes. */
export function totalTable({ totals }: Comparison): ViewTable {
  const what = column('what', 'What', 'text', 'The sum of all processes.');
  return makeTable<Comparison['totals'][number]>('All processes', [what, ...timeColumns], totals);
}

/** How long episodes were, by kind. */
export function episodeTable(comparison: Comparison): ViewTable {
  return makeTable<EpisodeChange>(
    'How long episodes were',
    [
      column('title', 'Episode', 'text', 'What begins and ends it.'),
      ...lengthColumns<EpisodeChange>(['n', 'p50_ns', 'p90_ns', 'p99_ns', 'max_ns'], (row) => row),
      column('sure', 'Sure', 'text', 'Which of them differ for sure.', ({ sure }) => sure.join(', ')),
    ],
    comparison.episodes,
  );
}

/** How long ready waits were, of the processes that have most of them. */
export function lengthTable(comparison: Comparison): ViewTable {
  return makeTable<Comparison['lengths'][number]>(
    'How long ready waits were',
    [
      column('process', 'Process', 'text', 'All, or those with the most waits.', ({ process }) =>
        nameOf(comparison, process),
      ),
      ...lengthColumns<Comparison['lengths'][number]>(
        ['n', 'p50_ns', 'p90_ns', 'p99_ns', 'max_ns'],
        (row) => row,
      ),
      column('sure', 'Sure', 'text', 'Which of them differ for sure.', ({ sure }) => sure.join(', ')),
    ],
    comparison.lengths,
  );
}

const countColumns: readonly Column<SwitchChange>[] = [
  column('delta', 'B − A', 'text', 'How many more.', ({ a, b }) => signedCount(b - a)),
  column('between', 'Between', 'text', BETWEEN, countIntervalWords),
  column('a', 'A', 'text', 'How many, for so long as B is.', ({ a }) => countWords(a)),
  column('b', 'B', 'text', 'How many.', ({ b }) => countWords(b)),
];

/** Context switches to the threads of a process. */
export function switchTable(comparison: Comparison): ViewTable {
  const process = column<SwitchChange>('process', 'Process', 'text', 'To whose threads.', ({ process }) =>
    nameOf(comparison, process),
  );
  return makeTable<SwitchChange>('Context switches', [process, ...countColumns], comparison.switches);
}

/** Starts and exits of processes. */
export function lifeTable(comparison: Comparison): ViewTable {
  return makeTable<LifeChange>(
    'Starts and exits',
    [
      column('process', 'Process', 'text', 'Processes that are alike.', ({ process }) =>
        nameOf(comparison, process),
      ),
      column('what', 'What', 'text', 'Whether they start or exit.'),
      ...countColumns,
    ],
    comparison.lives,
  );
}

/** Which processes were matched, and by what; those of one side alone first. */
export function processTable({ processes }: Comparison): ViewTable {
  const order: readonly Matched['step'][] = ['tied', 'only', 'image', 'command', 'command_and_parent'];
  return makeTable<Matched>(
    'How processes were matched',
    [
      column('name', 'Process', 'text', 'What it is called in this comparison.'),
      column('step', 'Matched by', 'text', 'In falling steps.', ({ step }) => STEP_WORDS[step]),
      column('a_count', 'In A', 'text', 'How many processes.', ({ a_count }) => countWords(a_count)),
      column('b_count', 'In B', 'text', 'How many processes.', ({ b_count }) => countWords(b_count)),
    ],
    [...processes].sort((x, y) => order.indexOf(x.step) - order.indexOf(y.step)),
  );
}
