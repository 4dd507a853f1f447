/**
 * For each frame the first one at the same place of the same file. `image` is the file of each; `lower` and `upper` are the
 * halves of where it is in that. Only frames of files that are `shared` can be at one place: what is generated has addresses in
 * the place of places, and one can be different code in two processes, so that each frame of it is its own.
 */
export function firstByPlace(
  image: Int32Array,
  lower: Int32Array,
  upper: Int32Array,
  shared: readonly boolean[],
): Int32Array {
  const first = Int32Array.from(image.keys());
  for (const [of, frames] of framesByImage(image, shared.length).entries()) {
    if (shared[of] !== true) continue;
    // Of one file at a time, with the places beside, so that the table stays in the processor's cache.
    const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * frames.length + 1)));
    const places = new Int32Array(slots.length);
    const mask = slots.length - 1;
    for (const frame of frames) {
      const place = lower[frame] ?? 0;
      let slot = mix(place) & mask;
      let other = slots[slot] ?? 0;
      // A slot holds a frame and one more; 0 is empty.
      while (other !== 0 && (places[slot] !== place || upper[other - 1] !== upper[frame])) {
        slot = (slot + 1) & mask;
        other = slots[slot] ?? 0;
      }
      if (other === 0) {
        slots[slot] = frame + 1;
        places[slot] = place;
      } else first[frame] = other - 1;
    }
  }
  return first;
}

/** The frames of each image, rising. */
function framesByImage(image: Int32Array, images: number): readonly Int32Array[] {
  const counts = new Int32Array(images);
  for (const of of image) counts[of] = (counts[of] ?? 0) + 1;
  const found = Array.from(counts, (count) => new Int32Array(count));
  counts.fill(0);
  image.forEach((of, frame) => {
    const at = counts[of] ?? 0;
    counts[of] = at + 1;
    const frames = found[of];
    if (frames !== undefined) frames[at] = frame;
  });
  return found;
}

/** The end of MurmurHash3. */
function mix(place: number): number {
  let hash = Math.imul(place ^ (place >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
