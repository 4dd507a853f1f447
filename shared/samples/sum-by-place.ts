import { grown, PairNumbers } from '../tables/index.ts';
import type { Calls } from './load-calls.ts';
import type { Samples } from './load-samples.ts';

/** Beyond this a number of a block has more bits than the numbers of a pair. */
const BLOCKS_OF_PAIR = 2 ** 32;

/** Numbers of places in files, in the order in which they come first. */
export class PlaceNumbers {
  /** Files by number, with the upper bits of a place. */
  readonly #files = new PairNumbers();
  readonly #places = new PairNumbers();

  /** The number of a place, which is a whole number, in a file, which is a number of 32 bits. */
  of(file: number, place: number): number {
    return this.#places.of(this.#files.of(file, Math.floor(place / BLOCKS_OF_PAIR)), place);
  }
}

/** Samples of one owner in one place of code, in columns. */
export interface PlaceSums {
  /** How many there are of owner and place. */
  readonly count: number;
  readonly owner: Int32Array;
  /** The first frame that was sampled there, −1 where none is known. */
  readonly frame: Int32Array;
  readonly samples: Int32Array;
  readonly cpu_ns: Float64Array;
}

/**
 * Sums samples by their owner and by the place of their innermost call. `ownerOf` is the owner of each kind of sample, −1 for one that is
 * left out. `placeOf` numbers the place of a frame; it is asked once a frame.
 */
export function sumByPlace(
  { count, callsite, kind, kinds }: Samples,
  { frame: frameOf, image }: Calls,
  ownerOf: Int32Array,
  placeOf: (frame: number) => number,
): PlaceSums {
  const groups = new PairNumbers();
  /** By one more than the frame: one more than its place, 0 before that was asked. */
  const places = new Int32Array(image.length + 1);
  const weights = Float64Array.from(kinds, ({ weight_ns }) => weight_ns);
  let frames = new Int32Array(1 << 10);
  let counts = new Int32Array(1 << 10);
  let sums_ns = new Float64Array(1 << 10);
  for (let row = 0; row < count; row++) {
    const of = kind[row] ?? 0;
    const owner = ownerOf[of] ?? -1;
    if (owner < 0) continue;
    const call = callsite[row] ?? 0;
    const frame = call >= 0 && call < frameOf.length ? (frameOf[call] ?? -1) : -1;
    let place = places[frame + 1] ?? 0;
    if (place === 0) places[frame + 1] = place = placeOf(frame) + 1;
    const group = groups.of(owner, place);
    if (group === counts.length) {
      frames = grown(frames, new Int32Array(2 * group));
      counts = grown(counts, new Int32Array(2 * group));
      sums_ns = grown(sums_ns, new Float64Array(2 * group));
    }
    if (counts[group] === 0) frames[group] = frame;
    counts[group] = (counts[group] ?? 0) + 1;
    sums_ns[group] = (sums_ns[group] ?? 0) + (weights[of] ?? 0);
  }
  const owner = new Int32Array(groups.count);
  for (let group = 0; group < owner.length; group++) owner[group] = groups.first(group);
  return { count: groups.count, owner, frame: frames, samples: counts, cpu_ns: sums_ns };
}
