import { computed } from '@preact/signals';
import type { SideName, Tie } from '../../../shared/compare/index.ts';
import { COMPARE_PAGE } from '../../../shared/link/index.ts';
import type { TimeRange } from '../../../shared/view/index.ts';
import { MEETINGS, type Meeting } from '../../../views/compare/index.ts';
import { views } from '../../../views/index.ts';
import { goTo, place } from '../state.ts';

/** A further trace of a side. */
export interface MoreTrace {
  readonly id: string;
  /** The name of its file. */
  readonly name: string;
  readonly side: SideName;
}

/** What is compared with the open trace. */
export interface ComparePlace {
  /** The id of the other trace; null while none is chosen. */
  readonly other: string | null;
  /** The name of its file; empty where it is not known. */
  readonly otherName: string;
  /** Which side the other trace is; the open one is the other side. */
  readonly otherIs: SideName;
  /** Further traces of both sides. */
  readonly more: readonly MoreTrace[];
  /** A range of each side, in ns on the clock of its first trace; null for all of it. */
  readonly ranges: Readonly<Record<SideName, TimeRange | null>>;
  readonly ties: readonly Tie[];
  /** The chosen row, by `rowName`; null for the first. */
  readonly row: string | null;
  /** The view of both that is shown, by its id; null for what changed. */
  readonly look: string | null;
  /** At what the traces meet in the timeline of both. */
  readonly meeting: Meeting;
  /** What of that view is in sight, in ns: of the timeline from where the traces meet, of others from where the compared range of A begins; null for what is shown first. */
  readonly zoom: TimeRange | null;
  /** Params of that view: of both sides, and what was chosen by hand on one, such as tracks. */
  readonly lookParams: LookParams;
}

/** Params of a view of both. */
export type LookParams = Readonly<Record<'both' | SideName, Readonly<Record<string, ParamValue>>>>;
type ParamValue = string | number | boolean | null;

/** No user honestly wants more ties or traces. */
const MOST_TIES = 50;
const MOST_TRACES = 50;

/** What the page compares; null while another page is shown. What of a link does not fit is as if not given. */
export const comparePlace = computed((): ComparePlace | null => {
  const { view, params } = place.value;
  return view === COMPARE_PAGE ? readComparePlace(params) : null;
});

/** Reads the params of the page, which may come from a stranger. */
export function readComparePlace(params: Readonly<Record<string, unknown>>): ComparePlace {
  const text = (name: string) => {
    const value = params[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const ns = (name: string) => {
    const value = params[name];
    const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
  };
  const range = (side: SideName) => {
    const [start, end] = [ns(`from_${side}`), ns(`to_${side}`)];
    return start !== null && end !== null && start < end ? { start, end } : null;
  };
  const other = text('other');
  return {
    other: isId(other) ? other : null,
    otherName: text('other_name') ?? '',
    otherIs: text('other_is') === 'a' ? 'a' : 'b',
    ranges: { a: range('a'), b: range('b') },
    more: readMore(text('more')),
    ties: readTies(text('ties')),
    row: text('row'),
    look: views.some(({ id }) => id === params.look) ? text('look') : null,
    meeting: MEETINGS.find((meeting) => meeting === params.meeting) ?? 'from',
    zoom: readZoom(text('zoom')),
    lookParams: readLookParams(text('look_params')),
  };
}

/** Times from where traces meet may be below 0. */
function readZoom(text: string | null): TimeRange | null {
  const [, from, to] = /^(-?\d{1,16})~(-?\d{1,16})$/.exec(text ?? '') ?? [];
  const [start, end] = [Number(from ?? NaN), Number(to ?? NaN)];
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) && start < end ? { start, end } : null;
}

function readLookParams(text: string | null): LookParams {
  const [both = {}, a = {}, b = {}] = listIn(text, 3, (of) => {
    const fitting = of.flatMap((each): (readonly [string, ParamValue])[] => {
      const [name, value] = Array.isArray(each) ? (each as readonly unknown[]) : [];
      const fits = value === null || ['string', 'number', 'boolean'].includes(typeof value);
      return typeof name === 'string' && fits ? [[name, value as ParamValue]] : [];
    });
    return Object.fromEntries(fitting);
  });
  return { both, a, b };
}

function readTies(text: string | null): readonly Tie[] {
  return listIn(text, MOST_TIES, ([a, b]) =>
    typeof a === 'string' && typeof b === 'string' ? { a, b } : null,
  );
}

function readMore(text: string | null): readonly MoreTrace[] {
  return listIn(text, MOST_TRACES, ([id, name, side]) =>
    isId(id) && typeof name === 'string' && (side === 'a' || side === 'b') ? { id, name, side } : null,
  );
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** What a JSON array of arrays holds, without what does not fit. */
function listIn<T>(
  text: string | null,
  most: number,
  read: (of: readonly unknown[]) => T | null,
): readonly T[] {
  if (text === null) return [];
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return [];
    return list.slice(0, most).flatMap((of: unknown) => (Array.isArray(of) ? (read(of) ?? []) : []));
  } catch {
    return [];
  }
}

/** The params of the page that say what is compared; what is as at the start is left out. */
export function writeComparePlace(compared: ComparePlace): Readonly<Record<string, string | number>> {
  const { other, otherName, otherIs, more, ranges, ties, row, look, meeting, zoom, lookParams } = compared;
  const params: Record<string, string | number> = {};
  if (other !== null) params.other = other;
  if (otherName !== '') params.other_name = otherName;
  if (otherIs === 'a') params.other_is = otherIs;
  for (const side of ['a', 'b'] as const) {
    const range = ranges[side];
    if (range === null) continue;
    params[`from_${side}`] = Math.round(range.start);
    params[`to_${side}`] = Math.round(range.end);
  }
  if (more.length > 0) params.more = JSON.stringify(more.map(({ id, name, side }) => [id, name, side]));
  if (ties.length > 0) params.ties = JSON.stringify(ties.map(({ a, b }) => [a, b]));
  if (row !== null) params.row = row;
  if (look !== null) params.look = look;
  if (meeting !== 'from') params.meeting = meeting;
  if (zoom !== null) params.zoom = `${Math.round(zoom.start)}~${Math.round(zoom.end)}`;
  const given = [lookParams.both, lookParams.a, lookParams.b].map((of) => Object.entries(of));
  if (given.some((entries) => entries.length > 0)) params.look_params = JSON.stringify(given);
  return params;
}

/** Compares something else; what is not named stays. */
export function setCompare(change: Partial<ComparePlace>): void {
  const now = comparePlace.peek() ?? readComparePlace({});
  goTo({ view: COMPARE_PAGE, params: writeComparePlace({ ...now, ...change }) });
}

/** The same with the sides the other way round. */
export function swapSides({ otherIs, more, ranges, ties, lookParams, ...rest }: ComparePlace): ComparePlace {
  const turned = (side: SideName) => (side === 'a' ? 'b' : 'a');
  return {
    ...rest,
    otherIs: turned(otherIs),
    more: more.map((each) => ({ ...each, side: turned(each.side) })),
    ranges: { a: ranges.b, b: ranges.a },
    ties: ties.map(({ a, b }) => ({ a: b, b: a })),
    lookParams: { both: lookParams.both, a: lookParams.b, b: lookParams.a },
  };
}

/** What was compared last, by which the page is opened again. */
let last: { readonly trace: string | null; readonly params: Readonly<Record<string, unknown>> } | null = null;

/** Opens the page: as it was left, if the same trace is open. */
export function openCompare(): void {
  const { trace } = place.peek();
  goTo({ view: COMPARE_PAGE, params: last?.trace === trace ? last.params : {} });
}

place.subscribe(({ view, trace, params }) => {
  if (view === COMPARE_PAGE) last = { trace, params };
});
