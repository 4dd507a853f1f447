import {
  CHANGE_WORDS,
  findingWords,
  foundWhere,
  lostWords,
  type ComparedFindings,
  type Comparison,
  type FindingChange,
} from '../../shared/compare/index.ts';
import { formatCount } from '../../shared/model/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { answer, buttons, column, makeTable, panel, type Block, type Button } from '../kit/index.ts';
import type { PageContext } from './page.ts';

/** What a changed finding is called in a link: by its rule, and whom it is about. */
export function findingName(change: FindingChange): string {
  return `finding: ${change.rule}, ${foundWhere(change)}`;
}

/** The changed finding of this name; null where there is none. */
export function findingOf(
  found: ComparedFindings | string | null,
  name: string | null,
): FindingChange | null {
  if (found === null || typeof found === 'string') return null;
  return found.changes.find((change) => findingName(change) === name) ?? null;
}

/** How many findings both sides have. */
export function alikeWords({ alike }: ComparedFindings): string {
  if (alike === 0) return 'they find nothing in either';
  return alike === 1 ? 'one finding is alike in both' : `${formatCount(alike)} findings are alike in both`;
}

/** Findings that one side alone has, or that cost much more there. */
export function findingTable({ a, b }: Comparison, { changes }: ComparedFindings): ViewTable {
  return makeTable<FindingChange>(
    'Findings',
    [
      column(
        'change',
        'In B',
        'text',
        'New: A has none. Sure: several traces a side tell that it is no chance.',
        ({ change, is_sure }) => CHANGE_WORDS[change] + (is_sure ? ', sure' : ''),
      ),
      column('a', 'Lost in A', 'text', 'The seconds lost in a trace, for so long as B is.', (change) =>
        lostWords(change.a, a.traces.length),
      ),
      column('b', 'Lost in B', 'text', 'The seconds lost in a trace.', (change) =>
        lostWords(change.b, b.traces.length),
      ),
      column('title', 'Finding', 'text', 'The rule that found it.'),
      column('where', 'Where', 'text', 'Process and thread, or the machine.', foundWhere),
      column('says', 'Says', 'text', 'What it says where it cost most.', findingWords),
    ],
    changes,
  );
}

/** What a changed finding says on both sides, and the way to its proof. */
export function findingPanel({ a, b }: Comparison, change: FindingChange, context: PageContext): Block {
  const sides = { a, b };
  const told = (['a', 'b'] as const).map((side): readonly [string, Button] => {
    const { worst } = change[side];
    const name = side.toUpperCase();
    const lost = lostWords(change[side], sides[side].traces.length);
    const isScaled = side === 'a' && Math.round(a.length_ns) !== Math.round(b.length_ns);
    const scaled = isScaled ? ' for so long as B is' : '';
    const sentence =
      worst === null ? `${name}: not found.` : `${name}: ${lost} lost${scaled}. ${worst.sentence}`;
    const press = worst === null ? null : () => context.open(side, worst.trace, worst.finding.proof);
    return [sentence, { label: `Open in ${name}`, press }];
  });
  return panel(
    `Proof: ${change.title}, ${foundWhere(change)}`,
    CHANGE_WORDS[change.change],
    [answer(told.map(([sentence]) => sentence)), buttons(told.map(([, button]) => button))],
    { className: 'compare-proof' },
  );
}
