import { computed } from '@preact/signals';
import type { SideName, Tie } from '../../../shared/compare/index.ts';
import { COMPARE_PAGE } from '../../../shared/link/index.ts';
import type { TimeRange } from '../../../shared/view/index.ts';
import { goTo, place } from '../state.ts';

/** What is compared, beside the open trace. */
export interface ComparePlace {
  /** The id of the other trace; null while none is chosen. */
  readonly other: string | null;
  /** The name of its file; empty where it is not known. */
  readonly otherName: string;
  /** Which side the other trace is; the open one is the other side. */
  readonly otherIs: SideName;
  /** A range of each side, in ns on its trace clock; null for all of it. */
  readonly ranges: Readonly<Record<SideName, TimeRange | null>>;
  readonly ties: readonly Tie[];
  /** The chosen row, by `rowName`; null for the first. */
  readonly row: string | null;
}

/** More ties are nobody's honest wish. */
const MOST_TIES = 50;

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
    other: other !== null && /^[0-9a-f]{64}$/.test(other) ? other : null,
    otherName: text('other_name') ?? '',
    otherIs: text('other_is') === 'a' ? 'a' : 'b',
    ranges: { a: range('a'), b: range('b') },
    ties: readTies(text('ties')),
    row: text('row'),
  };
}

function readTies(text: string | null): readonly Tie[] {
  if (text === null) return [];
  try {
    const pairs: unknown = JSON.parse(text);
    if (!Array.isArray(pairs)) return [];
    return pairs.slice(0, MOST_TIES).flatMap((pair: unknown) => {
      const [a, b] = Array.isArray(pair) ? (pair as unknown[]) : [];
      return typeof a === 'string' && typeof b === 'string' ? [{ a, b }] : [];
    });
  } catch {
    return [];
  }
}

/** The params of the page that say what is compared; what is as at the start is left out. */
export function writeComparePlace(compared: ComparePlace): Readonly<Record<string, string | number>> {
  const { other, otherName, otherIs, ranges, ties, row } = compared;
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
  if (ties.length > 0) params.ties = JSON.stringify(ties.map(({ a, b }) => [a, b]));
  if (row !== null) params.row = row;
  return params;
}

/** Compares something else; what is not named stays. */
export function setCompare(change: Partial<ComparePlace>): void {
  const now = comparePlace.peek() ?? readComparePlace({});
  goTo({ view: COMPARE_PAGE, params: writeComparePlace({ ...now, ...change }) });
}

/** The same with the sides the other way round. */
export function swapSides({ otherIs, ranges, ties, ...rest }: ComparePlace): ComparePlace {
  return {
    ...rest,
    otherIs: otherIs === 'a' ? 'b' : 'a',
    ranges: { a: ranges.b, b: ranges.a },
    ties: ties.map(({ a, b }) => ({ a: b, b: a })),
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
