import {
  verdict,
  type Change,
  type ComparedFindings,
  type Comparison,
  type SideName,
} from '../../shared/compare/index.ts';
import type { TimeRange, ViewTable } from '../../shared/view/index.ts';
import {
  answer,
  buttons,
  notes,
  panel,
  remarks,
  row,
  table,
  type Block,
  type Page,
  rowChoice,
} from '../kit/index.ts';
import { alikeWords, findingName, findingOf, findingPanel, findingTable } from './finding-rows.ts';
import type { Meeting } from './meet.ts';
import type { ShownPlace } from './open-place.ts';
import { proofPanel } from './proof.ts';
import { rowName, rowOf } from './rows.ts';
import {
  blameTable,
  changeTable,
  episodeTable,
  lengthTable,
  lifeTable,
  processTable,
  recordingTable,
  switchTable,
  totalTable,
} from './tables.ts';

/** What the page needs of the app. */
export interface PageContext {
  /** The row that is chosen, by `rowName`; null for the first. */
  readonly row: string | null;
  /** Which findings are new or gone; null while rules still look for them, a text where they failed. */
  readonly findings: ComparedFindings | string | null;
  /** All of each trace of a side: its times count from the start of it. */
  readonly wholes: Readonly<Record<SideName, readonly TimeRange[]>>;
  readonly choose: (row: string) => void;
  /** Opens a place in a trace of a side, by its number there. */
  readonly open: (side: SideName, trace: number, place: ShownPlace) => void;
  /** The view of both that is shown below the list, by its id; null for the proof of the row. */
  readonly look: string | null;
  /** Shows a view of both, its traces moved so that they meet; null for the proof. */
  readonly lookAt: (view: string | null, meeting: Meeting) => void;
}

/** How high the list is above a view of both, in px. */
const LOOKED_PX = 140;

/** What changed, with the proof of the chosen row. What differs in the recordings comes first, since no figure is better than that. */
export function comparePage(comparison: Comparison, context: PageContext): Page {
  const { changes, blame, recording, switches, lives, lengths, totals } = comparison;
  const finding = findingOf(context.findings, context.row);
  const chosen = finding === null ? rowOf(comparison, context.row) : null;
  return [
    comparison.notes.length === 0 ? null : notes(comparison.notes),
    recording.length === 0
      ? remarks(['The recordings hold the same kinds of events, of machines that are alike.'])
      : panel('The recordings differ', 'in what no figure below can make up for', [plain(recordingTable)], {
          table_px: 200,
        }),
    answer([verdict(comparison)]),
    changes.length === 0
      ? null
      : panel(
          'What changed',
          'what is sure first, then by length; choose a row to see its proof',
          [chosenOf(changes, changeTable)],
          { table_px: context.look === null ? 250 : LOOKED_PX, className: 'compare-list' },
        ),
    ...(context.look === null
      ? below()
      : [buttons([{ label: 'Back to the proof', press: () => context.lookAt(null, 'from') }])]),
  ];

  function below(): Page {
    return [
      chosen === null ? null : proofPanel(comparison, chosen, context),
      finding === null ? null : findingPanel(comparison, finding, context),
      foundPanel(),
      row(280, 1, [
        blame.length === 0
          ? null
          : panel('Whom others waited for', 'choose a row to see its proof', [chosenOf(blame, blameTable)]),
        lives.length === 0 ? null : panel('Starts and exits', 'of processes', [plain(lifeTable)]),
      ]),
      row(280, 1, [
        totals.length === 0
          ? null
          : panel('All processes', 'the causes add up to the ready time', [plain(totalTable)]),
        switches.length === 0 ? null : panel('Context switches', '', [plain(switchTable)]),
      ]),
      comparison.episodes.length === 0
        ? null
        : panel('How long episodes were', 'A → B', [plain(episodeTable)], { table_px: 200 }),
      row(280, 1, [
        lengths.length === 0 ? null : panel('How long ready waits were', 'A → B', [plain(lengthTable)]),
        panel('How processes were matched', 'ids tell nothing in another recording', [plain(processTable)]),
      ]),
    ];
  }

  function foundPanel(): Block {
    const { findings } = context;
    if (findings === null) return remarks(['Rules still look for findings.']);
    if (typeof findings === 'string') return notes([`Rules failed: ${findings}`]);
    const { changes } = findings;
    return panel('Findings', 'that one side alone has, or that cost much more there', [
      findings.notes.length === 0 ? null : notes(findings.notes),
      changes.length === 0
        ? remarks([`Rules find nothing else in B than in A; ${alikeWords(findings)}.`])
        : table(findingTable(comparison, findings), {
            follows: false,
            chosen: finding === null ? null : changes.indexOf(finding),
            choose: rowChoice(changes, (change) => context.choose(findingName(change))),
          }),
    ]);
  }

  /** A list whose rows have a proof. */
  function chosenOf(rows: readonly Change[], make: (comparison: Comparison) => ViewTable): Block {
    return table(make(comparison), {
      follows: false,
      chosen: chosen !== null && rows.includes(chosen) ? rows.indexOf(chosen) : null,
      choose: rowChoice(rows, (change) => context.choose(rowName(comparison, change))),
    });
  }

  function plain(make: (comparison: Comparison) => ViewTable): Block {
    return table(make(comparison), { follows: false });
  }
}
