import {
  intervalWords,
  signedDuration,
  type Change,
  type Comparison,
  type DifferencePart,
  type LengthSide,
  type Place,
  type SideName,
} from '../../shared/compare/index.ts';
import { formatDuration, formatTime } from '../../shared/model/index.ts';
import type { TimeRange, ViewTable } from '../../shared/view/index.ts';
import {
  answer,
  buttons,
  column,
  makeTable,
  panel,
  picture,
  row,
  table,
  type Block,
  type Button,
} from '../kit/index.ts';
import { blocksLegend, BlocksChart, MARGINS } from './chart.ts';
import { flamePanel } from './flame-panel.ts';
import { explaining, inTimeline } from './open-place.ts';
import type { PageContext } from './page.ts';
import { rowName } from './rows.ts';

const SIDES = ['a', 'b'] as const;

interface SidePlace extends Place {
  readonly side: SideName;
  readonly trace: number;
}

/** All of the trace in which a place is. */
function wholeOf({ wholes }: PageContext, side: SideName, trace: number): TimeRange {
  return wholes[side][trace] ?? { start: 0, end: 0 };
}

/** What shows the chosen row on both sides, and the way to where it can be looked at. */
export function proofPanel(comparison: Comparison, change: Change, context: PageContext): Block {
  const chart = new BlocksChart(comparison, change);
  const { measure, proof, threads, parts } = change;
  const places = SIDES.flatMap((side) => proof[side].places.map((place): SidePlace => ({ ...place, side })));
  const isAdded = measure !== 'blocked' && measure !== 'disk_io' && measure !== 'file_io';
  const isSampled = measure === 'samples';
  const stacks = isSampled ? comparison.stacks.find(({ process }) => process === change.process) : undefined;
  return panel(
    `Proof: ${rowName(comparison, change)}`,
    `${signedDuration(change.delta_ns)}, ${intervalWords(change)}`,
    [
      answer([sentence(comparison, change)]),
      buttons(openButtons(change, context)),
      table(sideTable(change), { follows: false, name: 'Both sides' }),
      picture({
        label:
          'How much each second or trace has, A upwards and B downwards; the sums are in the table above',
        height_px: 170,
        margins: MARGINS,
        legend: blocksLegend,
        draw: chart.draw,
        at: chart.at,
      }),
      stacks === undefined ? null : flamePanel(stacks),
      row(220, 1, [
        panel('By thread', isAdded ? 'adds up to the difference' : 'sums as recorded', [
          table(partTable('Thread', threads), { follows: false }),
        ]),
        parts.length === 0
          ? null
          : panel(isSampled ? 'By function' : 'By rank and priority', 'adds up to the difference', [
              table(isSampled ? functionTable(comparison, parts) : partTable('Rank and priority', parts), {
                follows: false,
              }),
            ]),
        panel('Where it is', 'what counts most, of different threads; choose one to open it', [
          table(placeTable(places, comparison, context), {
            follows: false,
            choose: (at) => {
              const place = places[at];
              if (place !== undefined) openAt(context, place, (at, whole) => explaining(change, at, whole));
            },
          }),
        ]),
      ]),
    ],
    { className: 'compare-proof' },
  );
}

const KINDS: Readonly<Record<Change['measure'], string>> = {
  cpu: 'runs',
  ready: 'ready waits',
  blocked: 'blocked waits',
  blame: 'stretches',
  samples: 'samples',
  disk_io: 'disk transfers',
  file_io: 'file operations',
};

/** What the figures say, and what they do not. */
function sentence(comparison: Comparison, { measure, n, is_sure, a_ns, b_ns, proof }: Change): string {
  const kind = KINDS[measure];
  const from = `${formatDuration(a_ns)} in A, ${formatDuration(b_ns)} in B.`;
  const p99 =
    proof.a.lengths.max_ns > 0 && proof.b.lengths.max_ns > 0
      ? ` The p99 of its ${kind} went from ${formatDuration(proof.a.lengths.p99_ns)} to ${formatDuration(proof.b.lengths.p99_ns)}.`
      : '';
  const sure = is_sure
    ? ''
    : ` That is not sure: ${n} ${comparison.a.traces.length > 1 && comparison.b.traces.length > 1 ? 'traces' : 'seconds'} had something.`;
  const scaled =
    Math.abs(comparison.a.length_ns / comparison.b.length_ns - 1) > 0.001
      ? ' The figure of A is for so long as B is.'
      : '';
  return from + p99 + sure + scaled;
}

function openAt(context: PageContext, place: SidePlace, shown: typeof inTimeline): void {
  const { side, trace } = place;
  context.open(side, trace, shown(place, wholeOf(context, side, trace)));
}

function openButtons(change: Change, context: PageContext): readonly Button[] {
  const isSomewhere = SIDES.some((side) => change.proof[side].places.length > 0);
  const both: Button = {
    label: 'Timeline of both',
    press: isSomewhere ? () => context.lookAt('timeline', 'row') : null,
  };
  const ofSides = SIDES.flatMap((side): Button[] => {
    const [place] = change.proof[side].places;
    const name = side.toUpperCase();
    const press = (shown: typeof inTimeline): Button['press'] =>
      place === undefined ? null : () => openAt(context, { ...place, side }, shown);
    return [
      { label: `Open in ${name}`, press: press((at, whole) => explaining(change, at, whole)) },
      { label: `Timeline of ${name}`, press: press(inTimeline) },
    ];
  });
  return [both, ...ofSides];
}

interface SideRow extends LengthSide {
  readonly side: string;
  readonly sum_ns: number;
}

/** Both sides, one below the other. */
export function sideTable({ a_ns, b_ns, proof, measure }: Change): ViewTable {
  const kind = KINDS[measure];
  const rows: readonly SideRow[] = [
    { side: 'A', sum_ns: a_ns, ...proof.a.lengths },
    { side: 'B', sum_ns: b_ns, ...proof.b.lengths },
  ];
  const length = (name: keyof LengthSide, title: string, help: string) =>
    column<SideRow>(name, title, 'duration_ns', help, (each) => (each.max_ns === 0 ? null : each[name]));
  return makeTable<SideRow>(
    'Both sides',
    [
      column('side', 'Side', 'text', 'A is from before, B from after.'),
      column('sum_ns', 'Time', 'duration_ns', 'The sum; of A for so long as B is.'),
      column('n', kind, 'count', `How many ${kind} there are.`),
      length('p50_ns', 'p50', 'Half of them are no longer.'),
      length('p90_ns', 'p90', '90 of 100 are no longer.'),
      length('p99_ns', 'p99', '99 of 100 are no longer.'),
      length('max_ns', 'Longest', 'The longest.'),
    ],
    rows,
  );
}

function partTable(title: string, parts: readonly DifferencePart[]): ViewTable {
  return makeTable<DifferencePart>(
    title,
    [
      column('name', title, 'text', 'What it is called in any recording.'),
      column('a_ns', 'A', 'duration_ns', 'The time in A, for so long as B is.'),
      column('b_ns', 'B', 'duration_ns', 'The time in B.'),
      column('delta_ns', 'B − A', 'text', 'The time of B less that of A.', ({ delta_ns }) =>
        signedDuration(delta_ns),
      ),
    ],
    parts,
  );
}

/** Functions, with how much more each has than if all sampled CPU time had changed alike. */
function functionTable({ totals }: Comparison, parts: readonly DifferencePart[]): ViewTable {
  const all = totals.find(({ measure }) => measure === 'samples');
  const growth = all === undefined || all.a_ns === 0 ? 1 : all.b_ns / all.a_ns;
  const { columns, rows } = partTable('Function', parts);
  const overweight = {
    name: 'overweight',
    title: 'Overweight',
    kind: 'text',
    help: 'How much more it has than if all sampled CPU time had changed alike; less than that is underweight.',
  } as const;
  return {
    title: 'Function',
    columns: [...columns, overweight],
    rows: rows.map((row, at) => {
      const { a_ns, b_ns } = parts[at] ?? { a_ns: 0, b_ns: 0 };
      return [...row, signedDuration(b_ns - a_ns * growth)];
    }),
  };
}

function placeTable(places: readonly SidePlace[], comparison: Comparison, context: PageContext): ViewTable {
  const traceOf = ({ side, trace }: SidePlace) => {
    const { traces } = comparison[side];
    return traces.length === 1 ? side.toUpperCase() : `${side.toUpperCase()}: ${traces[trace] ?? ''}`;
  };
  return makeTable<SidePlace>(
    'Where it is',
    [
      column('side', 'Side', 'text', 'In which trace.', traceOf),
      column('ts', 'From', 'text', 'From the start of that trace.', ({ ts, side, trace }) =>
        formatTime(ts, wholeOf(context, side, trace).start),
      ),
      column('dur', 'Lasts', 'duration_ns', 'How long the run or wait is.', ({ ts, te }) => te - ts),
      column('counted_ns', 'Counts', 'duration_ns', 'How much of it this row counts.'),
      column('tid', 'Thread', 'text', 'The id of the thread in that trace.', ({ tid }) => `tid ${tid}`),
    ],
    places,
  );
}
