import { OWNER_LABELS } from '../../shared/causes/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { column, makeTable, type Column } from '../kit/index.ts';
import type { ExplainModel, OwnerRow, PartRow } from './model.ts';

/** So many parts are listed; a delay may have a part for each of thousands of switches. */
export const LISTED_PARTS = 200;

const OWNER_COLUMNS: readonly Column<OwnerRow>[] = [
  column('sum_ns', 'Time', 'duration_ns', 'How much of the delay this is.', (row) => row.sum_ns),
  column('share', 'Share', 'share', 'The same as a part of the delay.', (row) => row.share),
  column('thread', 'Thread', 'text', 'The thread that ran, was ready, or was blocked.', ({ thread }) =>
    threadLabel(thread),
  ),
  column('owner', 'What', 'text', 'What the time went to.', (row) => OWNER_LABELS[row.owner]),
  column('detail', 'Detail', 'text', 'The file, the driver, or what is missing.', (row) => row.detail),
  column('parts', 'Parts', 'count', 'In how many pieces.', (row) => row.parts),
  column('longest_ns', 'Longest', 'duration_ns', 'The longest piece.', (row) => row.longest_ns),
  column('longest_ts', 'At', 'time_ns', 'When the longest piece begins.', (row) => row.longest_ts),
  column(
    'handle',
    'Handle',
    'text',
    'A short name of the thread in this trace.',
    ({ thread }) => thread.handle,
  ),
];

type ListedPart = PartRow & { readonly name: string };

const PART_COLUMNS: readonly Column<ListedPart>[] = [
  column('ts', 'At', 'time_ns', 'When it begins.', (row) => row.ts),
  column('dur', 'Time', 'duration_ns', 'How long it takes.', (row) => row.dur),
  column('depth', 'Depth', 'count', 'Wakes between this thread and the delayed one.', (row) => row.depth),
  column('thread', 'Thread', 'text', 'The thread that ran, was ready, or was blocked.', (row) => row.name),
  column('owner', 'What', 'text', 'What the time went to.', (row) => OWNER_LABELS[row.owner]),
  column('detail', 'Detail', 'text', 'The file, the driver, or what is missing.', (row) => row.detail),
];

/** The delay by owner. */
export function ownerTable({ delay }: ExplainModel): ViewTable {
  return makeTable('By owner', OWNER_COLUMNS, delay?.owners ?? []);
}

/** The parts that are listed: the longest, in the order of time. */
export function listedParts({ delay }: ExplainModel): readonly PartRow[] {
  const parts = delay?.parts ?? [];
  if (parts.length <= LISTED_PARTS) return parts;
  return [...parts]
    .sort((a, b) => b.dur - a.dur)
    .slice(0, LISTED_PARTS)
    .sort((a, b) => a.ts - b.ts);
}

/** The delay part by part. */
export function partTable(model: ExplainModel): ViewTable {
  const named = listedParts(model).map((part): ListedPart => {
    const thread = model.delay?.threads[part.thread];
    return { ...part, name: thread === undefined ? '' : threadLabel(thread) };
  });
  return makeTable(partTitle(model), PART_COLUMNS, named);
}

/** What the list of parts is called: it says where parts are left out. */
export function partTitle({ delay }: ExplainModel): string {
  const count = delay?.parts.length ?? 0;
  return count <= LISTED_PARTS ? 'Part by part' : `Part by part: the ${LISTED_PARTS} longest of ${count}`;
}

/** Everything the view draws. */
export function explainTables(model: ExplainModel): readonly ViewTable[] {
  const sentence = column<string>(
    'sentence',
    'Sentence',
    'text',
    'What the tables below say.',
    (text) => text,
  );
  const sentences = [...model.notes, model.nothing, model.delay?.sentence].filter((each) => each != null);
  return [makeTable('In short', [sentence], sentences), ownerTable(model), partTable(model)];
}
