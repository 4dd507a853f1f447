import { appendSpans, Lane, LaneSums, rasterLane, ROWS } from '../../shared/timeline/index.ts';
import type { TrackItem } from '../../shared/view/index.ts';
import type { WideBar, Zoom } from './questions.ts';
import { CLASS_COUNT, FIRST_HUE, HUES } from './extra-classes.ts';

/** A stretch has words in it from so many px on. */
const WIDE_PX = 28;
const ALL_HUES = Array.from({ length: HUES }, (_, hue) => FIRST_HUE + hue);
const KEPT_HUES: ReadonlySet<number> = new Set(ALL_HUES);

/** Above spans an instant has so many rows of its pixel; without spans it fills that. */
const TICK_ROWS = 6;

/** Spans as pixels: at any time the one that began last is shown; one that is shorter than a pixel has a line in it. Instants are ticks. */
export class SpanPixels {
  readonly #items: readonly TrackItem[];
  readonly #lane = new Lane(true);
  readonly #sums: LaneSums;
  readonly #ticks = new Lane(true);
  readonly #tickSums: LaneSums;

  constructor(items: readonly TrackItem[]) {
    this.#items = items;
    const hues = new Map<string, number>();
    const ofValue = new Uint8Array(items.length + 1);
    items.forEach(({ name }, item) => {
      const hue = hues.get(name) ?? hues.size % HUES;
      hues.set(name, hue);
      ofValue[item + 1] = FIRST_HUE + hue;
    });
    const all = items.map(({ ts, te }, item) => ({ ts, te, value: item + 1 }));
    const instants = all.filter(({ ts, te }) => te <= ts).map((each) => ({ ...each, te: each.ts + 1 }));
    appendSpans(this.#lane, all);
    appendSpans(this.#ticks, instants);
    this.#lane.trim();
    this.#ticks.trim();
    const classes = { ofValue, count: CLASS_COUNT };
    this.#sums = new LaneSums(this.#lane, classes);
    this.#tickSums = new LaneSums(this.#ticks, classes);
  }

  draw(cells: Uint8Array, { start, pixel_ns, pixels }: Zoom): void {
    const sums = new Float64Array(pixels * CLASS_COUNT);
    if (this.#lane.length > 0) {
      this.#sums.addPixels(start, pixel_ns, pixels, sums);
      rasterLane(sums, CLASS_COUNT, pixel_ns, ALL_HUES, KEPT_HUES, cells);
      sums.fill(0);
    }
    if (this.#ticks.length === 0) return;
    this.#tickSums.addPixels(start, pixel_ns, pixels, sums);
    fillTicks(sums, pixel_ns);
    const ticks = new Uint8Array(cells.length);
    rasterLane(sums, CLASS_COUNT, pixel_ns, ALL_HUES, KEPT_HUES, ticks);
    const rows = this.#lane.length > 0 ? TICK_ROWS : ROWS;
    for (let at = 0; at < rows * pixels; at++) if (ticks[at] !== 0) cells[at] = ticks[at] ?? 0;
  }

  /** Those that have room for their names. */
  bars({ start, pixel_ns, pixels }: Zoom): readonly WideBar[] {
    const bars: WideBar[] = [];
    const [end, wide_ns] = [start + pixels * pixel_ns, WIDE_PX * pixel_ns];
    for (let at = start; at < end;) {
      const { ts, te, value } = this.#lane.at(at);
      const shown = { ts: Math.max(ts, start), te: Math.min(te, end) };
      const name = this.#items[value - 1]?.name;
      if (name !== undefined && shown.te - shown.ts >= wide_ns)
        bars.push({ track: 0, ...shown, texts: [name] });
      at = Math.max(te, at + wide_ns / 2);
    }
    return bars;
  }
}

/** Instants have no length to be drawn: they fill their pixel, each name by how often it is there. */
function fillTicks(sums: Float64Array, pixel_ns: number): void {
  for (let own = 0; own < sums.length; own += CLASS_COUNT) {
    let all = 0;
    for (const of of ALL_HUES) all += sums[own + of] ?? 0;
    if (all === 0) continue;
    for (const of of ALL_HUES) sums[own + of] = ((sums[own + of] ?? 0) / all) * pixel_ns;
  }
}
