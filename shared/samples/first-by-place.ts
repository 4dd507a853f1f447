/** Frames that are looked through at a time, on average: their table stays in the processor's nearest cache. */
const AT_A_TIME = 8192;
const FILE_BYTES_MAX = 2 ** 32;

/**
 * For each frame the first one at the same place of the same file. `image` is the file of each, `offset` where it is in that. Frames of
 * generated code are their own: what is generated has addresses in the place of places, and one can be different code in two
 * processes. So is a frame beyond 4 GiB, which no file of code reaches.
 */
export function firstByPlace(
  image: Int32Array,
  offset: Float64Array,
  isGenerated: readonly boolean[],
): Int32Array {
  const first = new Int32Array(image.length);
  for (let frame = 0; frame < first.length; frame++) first[frame] = frame;
  const { starts, frames, hashes } = inHeaps(image, offset, isGenerated);
  let slots = new Int32Array(4 * AT_A_TIME);
  for (let heap = 0; heap + 1 < starts.length; heap++) {
    const start = starts[heap] ?? 0;
    const end = starts[heap + 1] ?? 0;
    const size = 2 ** Math.ceil(Math.log2(2 * (end - start) + 1));
    if (size > slots.length) slots = new Int32Array(size);
    else slots.fill(0, 0, size);
    for (let at = start; at < end; at++) {
      const hash = hashes[at] ?? 0;
      // The upper bits: the lower ones told the heap. A slot holds one more than where its frame is in the heap; 0 is empty.
      let slot = (hash >>> 12) & (size - 1);
      let other = slots[slot] ?? 0;
      // Of one file, different places have different hashes.
      while (other !== 0 && hashes[start + other - 1] !== hash) {
        slot = (slot + 1) & (size - 1);
        other = slots[slot] ?? 0;
      }
      if (other === 0) slots[slot] = at - start + 1;
      else first[frames[at] ?? 0] = frames[start + other - 1] ?? 0;
    }
  }
  return first;
}

/** Frames of files by file and by the lower bits of their hash, each heap rising. */
interface Heaps {
  /** Where each heap begins, and at the end how many frames there are. */
  readonly starts: Int32Array;
  readonly frames: Int32Array;
  /** The hash of the place of each of `frames`. */
  readonly hashes: Int32Array;
}

function inHeaps(image: Int32Array, offset: Float64Array, isGenerated: readonly boolean[]): Heaps {
  const isInFile = (frame: number) => (offset[frame] ?? -1) >= 0 && (offset[frame] ?? 0) < FILE_BYTES_MAX;
  const counts = new Int32Array(isGenerated.length);
  for (let frame = 0; frame < image.length; frame++) {
    const of = image[frame] ?? 0;
    if (isInFile(frame)) counts[of] = (counts[of] ?? 0) + 1;
  }
  // The first heap of each image, −1 where it is generated; and how many it has, less one.
  const firstHeap = new Int32Array(isGenerated.length).fill(-1);
  const masks = new Int32Array(isGenerated.length);
  let heaps = 0;
  isGenerated.forEach((is, of) => {
    if (is) return;
    const wanted = Math.ceil((counts[of] ?? 0) / AT_A_TIME);
    const count = Math.min(2 ** 12, 2 ** Math.ceil(Math.log2(Math.max(1, wanted))));
    firstHeap[of] = heaps;
    masks[of] = count - 1;
    heaps += count;
  });
  const heapOf = (of: number, hash: number) => (firstHeap[of] ?? 0) + (hash & (masks[of] ?? 0));
  const starts = new Int32Array(heaps + 1);
  for (let frame = 0; frame < image.length; frame++) {
    const of = image[frame] ?? 0;
    if (firstHeap[of] === -1 || !isInFile(frame)) continue;
    const after = heapOf(of, mix(offset[frame] ?? 0)) + 1;
    starts[after] = (starts[after] ?? 0) + 1;
  }
  for (let heap = 0; heap < heaps; heap++) starts[heap + 1] = (starts[heap + 1] ?? 0) + (starts[heap] ?? 0);
  const next = starts.slice();
  const [frames, hashes] = [new Int32Array(starts[heaps] ?? 0), new Int32Array(starts[heaps] ?? 0)];
  for (let frame = 0; frame < image.length; frame++) {
    const of = image[frame] ?? 0;
    if (firstHeap[of] === -1 || !isInFile(frame)) continue;
    const hash = mix(offset[frame] ?? 0);
    const heap = heapOf(of, hash);
    const to = next[heap] ?? 0;
    next[heap] = to + 1;
    frames[to] = frame;
    hashes[to] = hash;
  }
  return { starts, frames, hashes };
}

/** The end of MurmurHash3: different values have different hashes. */
function mix(place: number): number {
  let hash = Math.imul(place ^ (place >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
