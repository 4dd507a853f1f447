import { type LegendEntry, type Palette, seriesColor } from '../kit/index.ts';
import type { DrawnRows } from './rows.ts';

/** More series than these cannot be told apart: the smallest are one, "other". */
const MOST_SERIES = 12;

/** Series by name, the largest first, and which one each row belongs to. */
export interface Series {
  /** Empty where the drawing tells no series apart. */
  readonly names: readonly string[];
  readonly ofRow: readonly number[];
  /** The index of "other"; null if there is none. */
  readonly other: number | null;
}

/** Sorts rows into series, by how much they hold of `weight`. */
export function readSeries(rows: DrawnRows, weight: (row: number) => number): Series {
  if (!rows.has('series')) return { names: [], ofRow: new Array<number>(rows.count).fill(0), other: null };
  const texts = Array.from({ length: rows.count }, (_, row) => rows.text(row, 'series'));
  const sums = new Map<string, number>();
  texts.forEach((text, row) => sums.set(text, (sums.get(text) ?? 0) + weight(row)));
  const sorted = [...sums].sort(([, one], [, other]) => other - one).map(([name]) => name);
  const names = sorted.length <= MOST_SERIES ? sorted : [...sorted.slice(0, MOST_SERIES - 1), 'other'];
  const other = sorted.length <= MOST_SERIES ? null : MOST_SERIES - 1;
  const places = new Map(names.map((name, index) => [name, index]));
  return { names, other, ofRow: texts.map((text) => places.get(text) ?? other ?? 0) };
}

/** The colour of a series. */
export function colorOf(palette: Palette, { other }: Pick<Series, 'other'>, index: number): string {
  return index === other ? palette.series[4] : seriesColor(palette, index);
}

/** What the colours mean; nothing where no series are told apart. */
export function seriesLegend(palette: Palette, series: Series): readonly LegendEntry[] {
  return series.names.map((label, index) => ({ label, color: colorOf(palette, series, index) }));
}
