/** So many rows of colours show how long each class held in a pixel. */
export const ROWS = 16;

/**
 * Divides the rows of each pixel among the classes by how long each class held. `LaneSums.addPixels` gives `sums`; a sum of `whole` fills
 * all rows. Writes to `into` the class of each row: one row of all pixels after the other, the top row first. Classes stand on one
 * another in the order of `order`, from the bottom. A class in `kept` has at least one row wherever the class held at all.
 */
export function rasterLane(
  sums: Float64Array,
  classCount: number,
  whole: number,
  order: readonly number[],
  kept: ReadonlySet<number>,
  into: Uint8Array,
): void {
  const pixels = sums.length / classCount;
  const isKept = Uint8Array.from({ length: classCount }, (_, of) => (kept.has(of) ? 1 : 0));
  const inOrder = Uint8Array.from(order);
  // The classes that a pixel has, from the bottom, and how many rows each has.
  const present = new Uint8Array(order.length);
  const rows = new Uint8Array(order.length);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const own = pixel * classCount;
    let [found, taken] = [0, 0];
    let [exact, begin] = [0, 0];
    for (const of of inOrder) {
      const ns = sums[own + of] ?? 0;
      if (ns === 0) continue;
      // Rounded by where it ends, so that all rows are filled where the shares make a whole.
      exact += ns / whole;
      const end = Math.round(exact * ROWS);
      const own_rows = Math.max(end - begin, isKept[of] ?? 0);
      begin = end;
      if (own_rows === 0) continue;
      present[found] = of;
      rows[found++] = own_rows;
      taken += own_rows;
    }
    // What a class that is kept has too much, the largest ones have too little.
    for (; taken > ROWS; taken--) {
      let largest = 0;
      for (let each = 1; each < found; each++) if ((rows[each] ?? 0) > (rows[largest] ?? 0)) largest = each;
      rows[largest] = (rows[largest] ?? 0) - 1;
    }
    let at = (ROWS - 1) * pixels + pixel;
    for (let each = 0; each < found; each++) {
      const of = present[each] ?? 0;
      for (let left = rows[each] ?? 0; left > 0; left--, at -= pixels) into[at] = of;
    }
    for (; at >= 0; at -= pixels) into[at] = 0;
  }
}
