import {
  firstFrom,
  orderOf,
  type Batch,
  type TableName,
  type Tables,
  type Values,
} from '../../tables/index.ts';

/** Stretches of trace time in ns, in the order of their starts; they may overlap. An instant lasts 1 ns. */
export interface Spans {
  readonly start: Float64Array;
  /** Outside. */
  readonly end: Float64Array;
}

/** What is called with a span and a row that overlaps it; both by their numbers. */
export type Visit<C extends string> = (
  span: number,
  ts: number,
  te: number,
  row: number,
  columns: Readonly<Record<C, Values>>,
) => void;

/** Tables of what lasts. */
type LastingTable = Extract<TableName, 'etw_interrupt' | 'etw_loss' | 'etw_ready_wait' | 'etw_run'>;

/** Spans lie apart, and are looked for apart, where this part of the whole time is between them. */
const APART = 1 / 32;
/** Into so many parts a stretch of time is cut, to find the spans of a row. */
const BUCKETS = 4096;

/** Calls `visit` for each span and row that overlap. Reads the rows that the spans touch, and some others. */
export async function visitOverlaps<C extends string>(
  tables: Tables,
  table: LastingTable,
  columns: readonly C[],
  spans: Spans,
  visit: Visit<C>,
): Promise<void> {
  for (const stretch of stretchesOf(spans)) {
    const found = new SpanIndex(spans, stretch);
    for await (const batch of tables.batches(table, ['ts', 'te', ...columns], rangesOf(spans, stretch))) {
      visitBatch(batch, stretch, spans, found, visit);
    }
  }
}

function visitBatch<C extends string>(
  { rowCount, columns }: Batch<C | 'ts' | 'te'>,
  { start, end }: Stretch,
  spans: Spans,
  { firstOf, offsets, members, bucketsPerNs, gaps }: SpanIndex,
  visit: Visit<C>,
): void {
  const [starts, ends] = [columns.ts.values, columns.te.values];
  let gap = 0;
  let last_te = -Infinity;
  for (let row = 0; row < rowCount; row++) {
    const ts = starts[row] ?? 0;
    const te = ends[row] ?? 0;
    if (te < last_te) gap = 0;
    last_te = te;
    // Rows come in the order of their ends, and mostly lie between spans.
    while ((gaps.end[gap] ?? Infinity) < te) gap++;
    if (ts >= (gaps.start[gap] ?? Infinity) || te <= start || ts >= end || te === ts) continue;
    const from = ts <= start ? 0 : ((ts - start) * bucketsPerNs) | 0;
    const to = ((Math.min(te, end) - 1 - start) * bucketsPerNs) | 0;
    for (let bucket = from; bucket <= to; bucket++) {
      const last = offsets[bucket + 1] ?? 0;
      for (let at = offsets[bucket] ?? 0; at < last; at++) {
        const span = members[at] ?? 0;
        // A span that lies in several buckets of the row counts in the first.
        if (bucket !== from && bucket !== firstOf[span]) continue;
        if (ts < (spans.end[span] ?? 0) && te > (spans.start[span] ?? 0)) visit(span, ts, te, row, columns);
      }
    }
  }
}

/** A stretch of time that is looked through at once, and the spans from `first` up to `last` that lie in it. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly first: number;
  readonly last: number;
}

/** The spans of a stretch, as ranges that rows are read of. */
function rangesOf({ start, end }: Spans, { first, last }: Stretch): { start: number; end: number }[] {
  return Array.from({ length: last + 1 - first }, (_, at) => ({
    start: start[first + at] ?? 0,
    end: end[first + at] ?? 0,
  }));
}

function stretchesOf({ start, end }: Spans): Stretch[] {
  let most = 0;
  for (const of of end) if (of > most) most = of;
  const apart = (most - (start[0] ?? 0)) * APART;
  const stretches: Stretch[] = [];
  let first = 0;
  let reached = end[0] ?? 0;
  for (let span = 1; span <= start.length; span++) {
    const next = start[span] ?? Infinity;
    if (next - reached > apart) {
      stretches.push({ start: start[first] ?? 0, end: reached, first, last: span - 1 });
      first = span;
    }
    const ended = end[span] ?? 0;
    if (ended > reached) reached = ended;
  }
  return stretches;
}

/** The spans of a stretch by the parts of it, its buckets, that they touch. */
class SpanIndex {
  readonly bucketsPerNs: number;
  /** The first bucket of each span. */
  readonly firstOf: Uint16Array;
  /** Where the spans of a bucket begin in `members`. */
  readonly offsets = new Uint32Array(BUCKETS + 1);
  readonly members: Uint32Array;
  /** The stretches of time before, between and after the spans. */
  readonly gaps: { readonly start: number[]; readonly end: number[] } = { start: [], end: [] };

  constructor(spans: Spans, { start, end, first, last }: Stretch) {
    this.bucketsPerNs = BUCKETS / Math.max(BUCKETS, end - start);
    this.firstOf = new Uint16Array(spans.start.length);
    const lastOf = new Uint16Array(spans.start.length);
    let reached = -Infinity;
    for (let span = first; span <= last; span++) {
      const begin = spans.start[span] ?? 0;
      if (begin > reached) {
        this.gaps.end.push(begin);
        this.gaps.start.push(reached);
      }
      reached = Math.max(reached, spans.end[span] ?? 0);
    }
    this.gaps.end.push(Infinity);
    this.gaps.start.push(reached);
    for (let span = first; span <= last; span++) {
      const from = (((spans.start[span] ?? 0) - start) * this.bucketsPerNs) | 0;
      const to = Math.max(from, (((spans.end[span] ?? 0) - 1 - start) * this.bucketsPerNs) | 0);
      this.firstOf[span] = from;
      lastOf[span] = to;
      for (let bucket = from; bucket <= to; bucket++) add(this.offsets, bucket + 1, 1);
    }
    for (let bucket = 0; bucket < BUCKETS; bucket++) add(this.offsets, bucket + 1, this.offsets[bucket] ?? 0);
    this.members = new Uint32Array(this.offsets[BUCKETS] ?? 0);
    const filled = this.offsets.slice();
    for (let span = first; span <= last; span++) {
      const to = lastOf[span] ?? 0;
      for (let bucket = this.firstOf[span] ?? 0; bucket <= to; bucket++) {
        this.members[filled[bucket] ?? 0] = span;
        add(filled, bucket, 1);
      }
    }
  }
}

function add(counts: Uint32Array, at: number, more: number): void {
  counts[at] = (counts[at] ?? 0) + more;
}

/** Spans of some starts and ends in any order, and which of these each is. */
export function spansOf(
  start: Float64Array,
  end: (index: number) => number,
): { readonly spans: Spans; readonly order: Uint32Array } {
  const order = orderOf(start);
  const spans = { start: new Float64Array(order.length), end: new Float64Array(order.length) };
  for (let place = 0; place < order.length; place++) {
    const index = order[place] ?? 0;
    spans.start[place] = start[index] ?? 0;
    spans.end[place] = end(index);
  }
  return { spans, order };
}

/** Instants in any order as spans, and which of these each is. */
export function instantsOf(at: Float64Array): { readonly spans: Spans; readonly order: Uint32Array } {
  return spansOf(at, (index) => (at[index] ?? 0) + 1);
}

/** What is called with a row, and the instants that lie in it: from `first` up to `last`. */
export type VisitRow<C extends string> = (
  first: number,
  last: number,
  te: number,
  row: number,
  columns: Readonly<Record<C, Values>>,
) => void;

/** As {@link visitOverlaps}, of many instants: a row is told once, with all that lie in it. */
export async function visitInstants<C extends string>(
  tables: Tables,
  table: LastingTable,
  columns: readonly C[],
  instants: Spans,
  visit: VisitRow<C>,
): Promise<void> {
  for (const stretch of stretchesOf(instants)) {
    for await (const batch of tables.batches(table, ['ts', 'te', ...columns], rangesOf(instants, stretch))) {
      visitInstantsOf(batch, stretch, instants.start, visit);
    }
  }
}

function visitInstantsOf<C extends string>(
  { rowCount, columns }: Batch<C | 'ts' | 'te'>,
  { first, last }: Stretch,
  at: Float64Array,
  visit: VisitRow<C>,
): void {
  const [starts, ends] = [columns.ts.values, columns.te.values];
  // Rows come in the order of their ends: how many instants are before these only grows.
  let before = firstFrom(at, first, last + 1, ends[0] ?? 0);
  let last_te = -Infinity;
  for (let row = 0; row < rowCount; row++) {
    const ts = starts[row] ?? 0;
    const te = ends[row] ?? 0;
    if (te < last_te) before = firstFrom(at, first, before, te);
    last_te = te;
    while (before <= last && (at[before] ?? Infinity) < te) before++;
    if (before === first || (at[before - 1] ?? -Infinity) < ts) continue;
    visit(firstFrom(at, first, before, ts), before, te, row, columns);
  }
}
