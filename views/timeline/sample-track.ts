import { bisectLeft } from 'd3';
import type { Query } from '../../shared/engine/index.ts';
import { DEFAULT_INTERVAL_NS, loadAllSamples, MODES, type Samples } from '../../shared/samples/index.ts';
import { rasterLane } from '../../shared/timeline/index.ts';
import type { TrackClass } from './classes.ts';
import type { Zoom } from './questions.ts';

/** The key of the track of samples. */
export const SAMPLES_KEY = 's';

const LABELS = { user: 'user code', kernel: 'kernel code', dpc: 'DPC', isr: 'ISR' } as const;

/** What CPUs were at when they were sampled, as colours. */
export const SAMPLE_CLASSES: readonly TrackClass[] = [
  { state: 'nothing', label: 'no sample' },
  ...MODES.map((mode, series) => ({ state: 'machine' as const, label: `sampled: ${LABELS[mode]}`, series })),
];

const ORDER = MODES.map((_, mode) => mode + 1);
const KEPT: ReadonlySet<number> = new Set(ORDER);
/** Of so many samples in a row sums are kept. */
const BLOCK = 64;

/**
 * How dense the samples of all threads but the idle one are: as high as the CPU time that they stand for is a share of all CPUs' time.
 * A pixel shorter than the interval between two samples is full where it has enough of them, and empty where it has none.
 */
export class SampleTrack {
  readonly samples: Samples;
  readonly #cpuCount: number;
  /** What the samples before each block stand for, by mode, in ns. */
  readonly #before: Float64Array;

  constructor(samples: Samples, cpuCount: number) {
    this.samples = samples;
    this.#cpuCount = Math.max(1, cpuCount);
    const blocks = Math.ceil(samples.count / BLOCK) + 1;
    this.#before = new Float64Array(blocks * MODES.length);
    const sums = new Float64Array(MODES.length);
    for (let block = 0; block < blocks; block++) {
      this.#before.set(sums, block * MODES.length);
      this.#walk(block * BLOCK, (block + 1) * BLOCK, sums, 0);
    }
  }

  draw(cells: Uint8Array, { start, pixel_ns, pixels }: Zoom): void {
    const count = SAMPLE_CLASSES.length;
    const sums = new Float64Array(pixels * count);
    const { ts } = this.samples;
    const whole = pixel_ns * this.#cpuCount;
    for (let pixel = 0, from = bisectLeft(ts, start); pixel < pixels; pixel++) {
      const to = bisectLeft(ts, start + (pixel + 1) * pixel_ns, from);
      const own = pixel * count + 1;
      this.#sum(from, to, sums, own);
      from = to;
      const all = ORDER.reduce((sum, of) => sum + (sums[own + of - 1] ?? 0), 0);
      // More than there is time: what they stand for lies in other pixels in part.
      if (all > whole) for (const of of ORDER) sums[own + of - 1] = ((sums[own + of - 1] ?? 0) / all) * whole;
    }
    rasterLane(sums, count, whole, ORDER, KEPT, cells);
  }

  /** The place of the sample next to a time, at most so many ns away; -1 for none. */
  near(at: number, within_ns: number): number {
    const { ts, count } = this.samples;
    const after = bisectLeft(ts, at);
    const away = (place: number) =>
      place < 0 || place >= count ? Infinity : Math.abs((ts[place] ?? 0) - at);
    const place = away(after) <= away(after - 1) ? after : after - 1;
    return away(place) <= within_ns ? place : -1;
  }

  #sum(from: number, to: number, into: Float64Array, own: number): void {
    const [first, last] = [Math.ceil(from / BLOCK), Math.floor(to / BLOCK)];
    if (first >= last) {
      this.#walk(from, to, into, own);
      return;
    }
    this.#walk(from, first * BLOCK, into, own);
    for (let mode = 0; mode < MODES.length; mode++) {
      const sum =
        (this.#before[last * MODES.length + mode] ?? 0) - (this.#before[first * MODES.length + mode] ?? 0);
      into[own + mode] = (into[own + mode] ?? 0) + sum;
    }
    this.#walk(last * BLOCK, to, into, own);
  }

  #walk(from: number, to: number, into: Float64Array, own: number): void {
    const { kind, kinds, count } = this.samples;
    for (let sample = from; sample < Math.min(to, count); sample++) {
      const of = kinds[kind[sample] ?? 0];
      if (of === undefined) continue;
      const at = own + MODES.indexOf(of.mode);
      into[at] = (into[at] ?? 0) + (of.weight_ns === 0 ? DEFAULT_INTERVAL_NS : of.weight_ns);
    }
  }
}

/** The samples of a recording as a track; null where it has none. */
export async function loadSampleTrack(query: Query, cpuCount: number): Promise<SampleTrack | null> {
  const samples = await loadAllSamples(query);
  return samples.count === 0 ? null : new SampleTrack(samples, cpuCount);
}
