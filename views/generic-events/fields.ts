import type { FieldValue, GenericEvent } from './model.ts';

/** Columns of fields at most: a table with more is wider than can be read. */
const FIELDS_MAX = 64;

/** The fields or the header of an event from their JSON object; none if it is not one. */
export function readFields(json: string | null): Readonly<Record<string, FieldValue>> {
  let object: unknown;
  try {
    object = JSON.parse(json ?? '{}');
  } catch {
    return {};
  }
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return {};
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, fieldValue(value)]));
}

function fieldValue(value: unknown): FieldValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  return JSON.stringify(value);
}

/** The names of all fields that the events have, in the order in which they come. */
export function fieldNames(events: readonly GenericEvent[]): readonly string[] {
  const names = new Set<string>();
  for (const { fields } of events) {
    for (const name of Object.keys(fields)) {
      if (names.size === FIELDS_MAX) return [...names];
      names.add(name);
    }
  }
  return [...names];
}

/** All fields in a line: `Width=640, Height=480`. */
export function fieldsText(fields: GenericEvent['fields']): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value ?? ''}`)
    .join(', ');
}
