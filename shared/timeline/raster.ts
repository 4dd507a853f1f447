/** So many rows of colours show how long each class held in a pixel. */
export const ROWS = 16;

/**
 * Divides the rows of each pixel among the classes by how long each held: `sums` as `LaneSums.addPixels` gives them, of which `whole`
 * fill all rows. Writes to `into` the class of each row, a row of all pixels after the other, the top one first. Classes stand on one another in
 * the order of `order`, from the bottom; those in `kept` have a row at least wherever these held at all.
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
  const rows = new Uint8Array(classCount);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const own = pixel * classCount;
    let [taken, largest] = [0, order[0] ?? 0];
    let exact = 0;
    for (const of of order) {
      const share = (sums[own + of] ?? 0) / whole;
      // Rounded by where it ends, so that all rows are filled where the shares make a whole.
      const begin = Math.round(exact * ROWS);
      exact += share;
      let own_rows = Math.round(exact * ROWS) - begin;
      if (own_rows === 0 && share > 0 && isKept[of] === 1) own_rows = 1;
      rows[of] = own_rows;
      taken += own_rows;
      if (own_rows > (rows[largest] ?? 0)) largest = of;
    }
    // What a class that is kept has too much, the largest ones have too little.
    for (; taken > ROWS; taken--) {
      for (const of of order) if ((rows[of] ?? 0) > (rows[largest] ?? 0)) largest = of;
      rows[largest] = (rows[largest] ?? 0) - 1;
    }
    let row = ROWS - 1;
    for (const of of order) {
      for (let left = rows[of] ?? 0; left > 0; left--, row--) into[row * pixels + pixel] = of;
    }
    for (; row >= 0; row--) into[row * pixels + pixel] = 0;
  }
}
