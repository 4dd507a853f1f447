import type { Cell } from '../engine/index.ts';
import { formatCell, formatCount } from '../model/index.ts';
import type { PanelModel } from './model.ts';
import type { ExtraTrack, ItemDetail, TimeRange, TrackItem } from '../view/index.ts';

/** A panel has so many tracks at most: those of the highest values, or the most spans. The panel itself shows all. */
const MOST_TRACKS = 6;

/** Where the rows of a panel have what tracks show; -1 for what they lack. */
interface Columns {
  readonly ts: number;
  readonly dur: number;
  readonly name: number;
  readonly value: number;
  /** Each of its cells has a track of its own. */
  readonly lane: number;
}

interface FoundRow {
  readonly row: number;
  readonly ts: number;
  readonly dur: number | null;
  readonly name: string;
  readonly value: number | null;
}

/** What the tracks of a panel need besides its rows. */
export interface PanelTracksOptions {
  /** Whether the rows are of the range in view alone. */
  readonly followsRange: boolean;
  readonly whole: TimeRange;
  /** Does what a click on a row does; null where that is nothing. */
  readonly open: ((row: number) => void) | null;
}

/**
 * The rows of a panel as tracks, one for each lane or series: spans of `ts, dur, name` and values of `ts, value`, or what the drawing
 * has in their places. None where the rows have no time.
 */
export function panelTracks(model: PanelModel, options: PanelTracksOptions): readonly ExtraTrack[] {
  const at = columnsOf(model);
  if (model.missing.length > 0) return [trackOf(model, null, [], 0, options, 'not recorded')];
  if (at === null) return [];
  const textAt = (row: number, column: number): string | null => {
    const cell = model.labels[column]?.[row] ?? model.rows[row]?.[column] ?? null;
    return cell === null ? null : String(cell);
  };
  const lanes = new Map<string | null, FoundRow[]>();
  model.rows.forEach((cells, row) => {
    const ts = numberOf(cells, at.ts);
    if (ts === null) return;
    const lane = textAt(row, at.lane);
    const rows = lanes.get(lane) ?? [];
    if (rows.length === 0) lanes.set(lane, rows);
    const name = textAt(row, at.name) ?? lane ?? model.title;
    rows.push({ row, ts, dur: numberOf(cells, at.dur), name, value: numberOf(cells, at.value) });
  });
  if (lanes.size === 0) return [trackOf(model, null, [], 0, options, 'no rows')];
  const width_ns = at.value === -1 ? 0 : stepOf(model, lanes.values());
  const shown = [...lanes].map(([lane, rows]) => ({ lane, rows, weight: weightOf(rows) }));
  shown.sort((a, b) => b.weight - a.weight);
  const most = at.value === -1 ? null : highest(shown.flatMap(({ rows }) => rows));
  const hidden = shown.splice(MOST_TRACKS).length;
  return shown.map(({ lane, rows }, track): ExtraTrack => {
    const count = `${formatCount(rows.length)}${model.more ? ' and more' : ''}`;
    const top =
      most === null ? count : `to ${formatCell(most, model.columns[at.value]?.kind ?? 'number', 0)}`;
    const aside = track === shown.length - 1 && hidden > 0 ? `${top}, ${hidden} tracks more` : top;
    return { ...trackOf(model, lane, rows, width_ns, options, aside, at), most };
  });
}

function trackOf(
  model: PanelModel,
  lane: string | null,
  rows: readonly FoundRow[],
  width_ns: number,
  { followsRange, whole, open }: PanelTracksOptions,
  aside: string,
  at: Columns | null = null,
): ExtraTrack {
  const areValues = at !== null && at.value !== -1;
  const sorted = [...rows].sort((a, b) => a.ts - b.ts);
  const asked = followsRange ? model.range : whole;
  const items = sorted.map(({ ts, dur, name, value }, item): TrackItem => {
    const next = Math.min(sorted[item + 1]?.ts ?? asked.end, ts + width_ns);
    return { ts, te: ts + Math.max(0, dur ?? (areValues ? next - ts : 0)), name, value };
  });
  const last = sorted.at(-1)?.ts ?? asked.start;
  return {
    name: `panel-${model.id}${lane === null ? '' : `/${encodeURIComponent(lane)}`}`,
    label: lane === null ? model.title : `${lane}: ${model.title}`,
    aside,
    draw: areValues ? 'values' : 'spans',
    // Rows beyond those that were given are not known.
    most: null,
    known: model.more ? { start: asked.start, end: last } : followsRange ? asked : null,
    items,
    about: (item) => aboutRow(model, sorted[item]?.row ?? -1, open),
  };
}

function columnsOf({ columns, drawing: { kind, roles } }: PanelModel): Columns | null {
  const of = (name: string | undefined) => columns.findIndex((each) => each.name === name);
  const overTime = columns[of(roles.x)]?.kind === 'time_ns';
  const ts = of(roles.ts ?? (overTime ? roles.x : 'ts'));
  if (ts === -1) return null;
  const dur = of(roles.dur ?? 'dur');
  const isHeatmap = kind === 'heatmap';
  const value = dur === -1 ? of(isHeatmap || !overTime ? (roles.value ?? 'value') : roles.y) : -1;
  const named = value === -1 ? of(roles.label ?? roles.series ?? 'name') : -1;
  const lane = value === -1 ? of(roles.lane) : of(isHeatmap ? roles.y : roles.series);
  return { ts, dur, name: named, value, lane };
}

/** What decides which lanes are shown: their values, or how many spans they have. */
function weightOf(rows: readonly FoundRow[]): number {
  return rows.reduce((sum, { value }) => sum + Math.abs(value ?? 1), 0);
}

function highest(rows: readonly FoundRow[]): number {
  return rows.reduce((most, { value }) => Math.max(most, value ?? 0), 0);
}

/** How long a value holds at most: over buckets of time the shortest step, since a bucket without a row has no value. */
function stepOf({ drawing: { kind } }: PanelModel, lanes: Iterable<readonly FoundRow[]>): number {
  if (kind === 'table') return Infinity;
  const times = [...new Set([...lanes].flatMap((rows) => rows.map(({ ts }) => ts)))].sort((a, b) => a - b);
  return times.reduce((least, ts, at) => Math.min(least, ts - (times[at - 1] ?? -Infinity)), Infinity);
}

function numberOf(cells: readonly Cell[], column: number): number | null {
  const cell = cells[column] ?? null;
  return typeof cell === 'number' || typeof cell === 'bigint' ? Number(cell) : null;
}

function aboutRow(
  { columns, rows, labels, origin_ns }: PanelModel,
  row: number,
  open: ((row: number) => void) | null,
): ItemDetail {
  const facts = columns.flatMap(({ title, kind }, at) => {
    const cell = labels[at]?.[row] ?? rows[row]?.[at] ?? null;
    return cell === null ? [] : [[title, formatCell(cell, kind, origin_ns)] as const];
  });
  return { facts, selection: null, open: open === null ? null : { title: 'Open', run: () => open(row) } };
}
