import { textAt, textBytesOf, type Tables, type TextBytes, type Values } from '../tables/index.ts';
import type { Events } from './load-events.ts';
import { Needle } from './needle.ts';
import { MARK, textsOf, type EventShape } from './shape.ts';
import { HeaderSearch, TemplateSearch } from './shape-search.ts';

/** What is known of the events of a shape before their values are looked at. */
interface ShapeSearch {
  readonly shape: EventShape;
  readonly fields: TemplateSearch;
  readonly header: HeaderSearch | null;
  /** True where each of them has the text. */
  readonly isInAll: boolean;
  /** True where each of them has to be looked at, not only their values for the text as a whole. */
  readonly isByRow: boolean;
}

/**
 * Which events have a text: in the names of provider or event, in their fields as JSON, or in an id of an activity; 1 for each. The case of
 * letters of ASCII does not matter. `text` is not empty. `areKept`: the values are kept to be looked at again.
 */
export async function findText(
  tables: Tables,
  { shape, shapes }: Events,
  text: string,
  areKept: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  // JSON writes quotes, backslashes and control characters in another way.
  const needle = new Needle(JSON.stringify(text).slice(1, -1));
  const searches = searchesOf(shapes, text, needle);
  const isInAll = Uint8Array.from(searches, (of) => Number(of.isInAll));
  const isMatch = new Uint8Array(shape.length);
  for (let at = 0; at < shape.length; at++) isMatch[at] = isInAll[shape[at] ?? 0] ?? 0;
  if (isInAll.every((is) => is === 1)) return isMatch;
  const how = areKept ? undefined : 'once';
  for await (const batch of tables.batches('etw_generic_event', ['values'], undefined, how)) {
    const { firstRow, rowCount, columns } = batch;
    const own = shape.subarray(firstRow, firstRow + rowCount);
    const into = isMatch.subarray(firstRow, firstRow + rowCount);
    const bytes = textBytesOf(columns.values);
    searchValues(needle, bytes, own, searches, into);
    searchRows(columns.values, bytes, own, searches, into);
  }
  return isMatch;
}

/** Shapes that differ in numbers alone share what was found of their templates. */
function searchesOf(shapes: readonly EventShape[], text: string, needle: Needle): readonly ShapeSearch[] {
  const [byFields, byHeader] = [new Map<string, TemplateSearch>(), new Map<string, HeaderSearch>()];
  const lower = text.toLowerCase();
  return shapes.map((shape) => {
    const fields = once(byFields, shape.fields, (template) => new TemplateSearch(template, needle));
    const header =
      shape.header === null
        ? null
        : once(byHeader, shape.header, (template) => new HeaderSearch(template, needle));
    const isNamed = `${shape.provider}/${shape.name}`.toLowerCase().includes(lower);
    const isByRow = fields.mayCross || header?.mustBeMade === true;
    return { shape, fields, header, isInAll: isNamed || fields.isInTemplate, isByRow };
  });
}

function once<T>(known: Map<string, T>, key: string, make: (key: string) => T): T {
  const value = known.get(key) ?? make(key);
  known.set(key, value);
  return value;
}

/** Marks the events that have the text in one of their values. */
function searchValues(
  needle: Needle,
  { bytes, starts }: TextBytes,
  shape: Uint32Array,
  searches: readonly ShapeSearch[],
  isMatch: Uint8Array,
): void {
  const end = starts.at(-1) ?? 0;
  let row = 0;
  let at = needle.indexIn(bytes, 0, end);
  while (at !== -1) {
    while ((starts[row + 1] ?? Infinity) <= at) row++;
    const next = starts[row + 1] ?? end;
    const isWithin = at + needle.length <= next;
    if (isWithin && isLookedAt(searches[shape[row] ?? 0]?.header ?? null, bytes, starts[row] ?? 0, at))
      isMatch[row] = 1;
    at = needle.indexIn(bytes, isMatch[row] === 1 ? next : at + 1, end);
  }
}

/** Whether the value that has the byte at `at` is one of the fields, or an id of an activity. `start`: where the values begin. */
function isLookedAt(header: HeaderSearch | null, bytes: Uint8Array, start: number, at: number): boolean {
  if (header === null) return true;
  let value = 0;
  for (let before = start; before < at; before++) if (bytes[before] === MARK_BYTE) value++;
  return value >= header.valueCount || header.hasId(value);
}

const MARK_BYTE = MARK.charCodeAt(0);

/** Marks the events that have the text partly inside a value and partly outside. Also those with the text in a header to be made. */
function searchRows(
  values: Values,
  { bytes, starts }: TextBytes,
  shape: Uint32Array,
  searches: readonly ShapeSearch[],
  isMatch: Uint8Array,
): void {
  const isByRow = Uint8Array.from(searches, (search) => Number(search.isByRow));
  if (!isByRow.includes(1)) return;
  for (let row = 0; row < shape.length; row++) {
    if (isMatch[row] === 1 || isByRow[shape[row] ?? 0] !== 1) continue;
    const search = searches[shape[row] ?? 0];
    if (search === undefined) continue;
    const [start, end] = [starts[row] ?? 0, starts[row + 1] ?? 0];
    const { fields, header } = search;
    if (fields.mayCross && fields.crosses(bytes, firstOfFields(header, bytes, start, end), end))
      isMatch[row] = 1;
    else if (header?.mustBeMade === true) {
      const made = textsOf(search.shape, textAt(values, row) ?? '').header;
      if (made !== null && header.isIn(made)) isMatch[row] = 1;
    }
  }
}

/** Where the values of the fields begin, behind those of the header. */
function firstOfFields(header: HeaderSearch | null, bytes: Uint8Array, start: number, end: number): number {
  let left = header?.valueCount ?? 0;
  let at = start;
  for (; left > 0 && at < end; at++) if (bytes[at] === MARK_BYTE) left--;
  return at;
}
