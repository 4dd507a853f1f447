/** A longer cell is sorted by comparing: it would take the square of its length. */
const LONGEST_INSERTED = 64;

/** The places of `times` (numbers, no NaN) in rising order. For millions that are nearly in order, as those of events are. */
export function timeOrder(times: Float64Array): Uint32Array {
  const count = times.length;
  let [least, most] = [Infinity, -Infinity];
  for (const time of times) {
    if (time < least) least = time;
    if (time > most) most = time;
  }
  // As many cells of time as there are times: most then hold about one.
  const scale = most > least ? (count - 1) / (most - least) : 0;
  const cellOf = (at: number): number => Math.floor(((times[at] ?? 0) - least) * scale);
  // Where the next one of each cell belongs: at first where the cell begins, in the end where it ends.
  const next = new Uint32Array(count + 1);
  for (let at = 0; at < count; at++) next[cellOf(at) + 1] = (next[cellOf(at) + 1] ?? 0) + 1;
  for (let cell = 0; cell < count; cell++) next[cell + 1] = (next[cell + 1] ?? 0) + (next[cell] ?? 0);
  const order = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    const cell = cellOf(at);
    const place = next[cell] ?? 0;
    order[place] = at;
    next[cell] = place + 1;
  }
  for (let cell = 0, from = 0; cell < count; cell++) {
    const to = next[cell] ?? 0;
    if (to - from > 1) sortCell(order.subarray(from, to), times);
    from = to;
  }
  return order;
}

function sortCell(cell: Uint32Array, times: Float64Array): void {
  if (cell.length > LONGEST_INSERTED) {
    cell.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
    return;
  }
  for (let next = 1; next < cell.length; next++) {
    const at = cell[next] ?? 0;
    const time = times[at] ?? 0;
    let place = next;
    for (; place > 0 && (times[cell[place - 1] ?? 0] ?? 0) > time; place--)
      cell[place] = cell[place - 1] ?? 0;
    cell[place] = at;
  }
}
