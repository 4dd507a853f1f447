import { NOTHING, type Lane } from '../../shared/timeline/index.ts';
import type { Zoom } from './questions.ts';

/** The lowest and the highest value of a lane in each pixel, by turns; {@link NOTHING} twice where none holds. */
export function linePixels(lane: Lane, { start, pixel_ns, pixels }: Zoom): Uint8Array {
  const into = new Uint8Array(2 * pixels);
  const end = start + pixels * pixel_ns;
  const hold = (from: number, to: number, value: number) => {
    if (value === NOTHING) return;
    const last = Math.min(pixels, Math.ceil((to - start) / pixel_ns));
    for (let pixel = Math.max(0, Math.floor((from - start) / pixel_ns)); pixel < last; pixel++) {
      const [low = NOTHING, high = NOTHING] = [into[2 * pixel], into[2 * pixel + 1]];
      if (low === NOTHING || value < low) into[2 * pixel] = value;
      if (value > high) into[2 * pixel + 1] = value;
    }
  };
  for (let block = Math.max(0, lane.blockAt(start)); lane.beginOf(block) < end; block++) {
    const next = lane.endPlaceOf(block);
    for (let place = lane.firstOf(block); place < next; place++) {
      const to = place + 1 < next ? lane.timeOf(place + 1, block) : lane.beginOf(block + 1);
      if (to > start) hold(lane.timeOf(place, block), to, lane.valueOf(place));
    }
  }
  return into;
}
