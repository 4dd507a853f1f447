/** Equal cells that follow one another as pairs of what they are and how many. */
export function runsOf(cells: Uint8Array): number[] {
  const runs: number[] = [];
  for (let at = 0; at < cells.length;) {
    let end = at + 1;
    while (end < cells.length && cells[end] === cells[at]) end++;
    runs.push(cells[at] ?? 0, end - at);
    at = end;
  }
  return runs;
}

/** The cells that {@link runsOf} made these runs from. */
export function cellsOf(runs: readonly number[]): Uint8Array {
  const cells: number[] = [];
  for (let at = 0; at < runs.length; at += 2)
    for (let left = runs[at + 1] ?? 0; left > 0; left--) cells.push(runs[at] ?? 0);
  return Uint8Array.from(cells);
}
