import { textAt, type Tables } from '../tables/index.ts';

/** Stands in a template for a value, and in the values between two. */
export const MARK = '\u0001';

/** What many events have in common. */
export interface EventShape {
  readonly provider: string;
  readonly name: string;
  readonly event_id: number;
  readonly opcode: number;
  readonly task: number;
  readonly level: number;
  /** JSON with a {@link MARK} in the place of each value; null where events have no header. */
  readonly header: string | null;
  /** The same of the fields, whose values come after those of the header. */
  readonly fields: string;
}

/** The shapes of a trace, by their numbers. */
export async function readShapes(tables: Tables): Promise<readonly EventShape[]> {
  const shapes: EventShape[] = [];
  const columns = ['kind', 'event_id', 'opcode', 'task', 'level', 'header', 'fields'] as const;
  for await (const { rowCount, columns: of } of tables.batches('etw_event_shape', columns))
    for (let row = 0; row < rowCount; row++) {
      const kind = textAt(of.kind, row) ?? '';
      const slash = kind.indexOf('/');
      shapes.push({
        provider: kind.slice(0, Math.max(slash, 0)),
        name: kind.slice(slash + 1),
        event_id: of.event_id.values[row] ?? 0,
        opcode: of.opcode.values[row] ?? 0,
        task: of.task.values[row] ?? 0,
        level: of.level.values[row] ?? 0,
        header: textAt(of.header, row),
        fields: textAt(of.fields, row) ?? '',
      });
    }
  return shapes;
}

/** How many values stand in a template. */
export function countValues(template: string | null): number {
  return template === null ? 0 : template.split(MARK).length - 1;
}

/** The header and the fields of an event as JSON, by its shape and its values. */
export function textsOf(
  { header, fields }: EventShape,
  values: string,
): { readonly header: string | null; readonly fields: string } {
  const all = values.split(MARK);
  return {
    header: header === null ? null : filled(header, all, 0),
    fields: filled(fields, all, countValues(header)),
  };
}

/** A template with values in the places of its marks, from the value at `first` on. */
function filled(template: string, values: readonly string[], first: number): string {
  const [start = '', ...rest] = template.split(MARK);
  return rest.reduce((text, part, at) => text + (values[first + at] ?? '') + part, start);
}
