import { textAt, type Tables } from '../tables/index.ts';
import type { Events } from './load-events.ts';
import { MARK, textsOf, type EventShape } from './shape.ts';

/** Members of a header that are ids of activities. */
export const ID_MEMBERS = ['ActivityId', 'RelatedActivityId'] as const;
type IdMember = (typeof ID_MEMBERS)[number];

/** The ids of activities that a header in JSON names; null where it names none. */
export function idsOf(header: string): Readonly<Record<IdMember, string | null>> {
  let json: unknown;
  try {
    json = JSON.parse(header);
  } catch {
    json = null;
  }
  const members =
    typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : {};
  const idOf = (member: IdMember) => {
    const id = members[member];
    return typeof id === 'string' ? id : null;
  };
  return { ActivityId: idOf('ActivityId'), RelatedActivityId: idOf('RelatedActivityId') };
}

/** Which values of a template are ids of activities, as wholes. Null where it does not tell. */
export function idValues(header: string): Readonly<Record<IdMember, number | null>> | null {
  if (!header.startsWith('{')) return null;
  let value = 0;
  const numbered = idsOf(header.replaceAll(MARK, () => String(value++)));
  if (ID_MEMBERS.some((member) => numbered[member] !== null && !/^\d+$/.test(numbered[member]))) return null;
  const valueOf = (member: IdMember) => (numbered[member] === null ? null : Number(numbered[member]));
  return { ActivityId: valueOf('ActivityId'), RelatedActivityId: valueOf('RelatedActivityId') };
}

/** Tells the activity of each event that has one and whose shape is wanted, in the order of time. */
export async function eachActivity(
  tables: Tables,
  { shape, shapes }: Events,
  isWanted: (shape: EventShape) => boolean,
  tell: (place: number, activity: string) => void,
): Promise<void> {
  const readers = shapes.map((of) => (isWanted(of) ? activityReader(of) : null));
  if (readers.every((reader) => reader === null)) return;
  for await (const batch of tables.batches('etw_generic_event', ['values'], undefined, 'once')) {
    const { firstRow, rowCount, columns } = batch;
    for (let row = 0; row < rowCount; row++) {
      const read = readers[shape[firstRow + row] ?? 0] ?? null;
      const activity = read === null ? null : read(textAt(columns.values, row) ?? '');
      if (activity !== null) tell(firstRow + row, activity);
    }
  }
}

/** What reads the activity of an event from its values; null where events of this shape have none. */
function activityReader(shape: EventShape): ((values: string) => string | null) | null {
  if (shape.header === null) return null;
  const known = idValues(shape.header);
  if (known === null) return (values) => idsOf(textsOf(shape, values).header ?? '').ActivityId;
  const { ActivityId: value } = known;
  return value === null ? null : (values) => values.split(MARK, value + 1)[value] ?? null;
}
