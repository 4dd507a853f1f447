/** Shorter durations are in the bin of this one. */
const SHORTEST_NS = 100;
/** From here on logarithms are taken: few waits are so long. */
const LONG_NS = 2 ** 31;

/** Durations with the same leading 1 and the same six bits after it have one cell: at most one bin begins within it. */
const CELL_BITS = 6;
const CELLS = 32 << CELL_BITS;
const cellOf = (dur_ns: number): number => {
  const leading = 31 - Math.clz32(dur_ns);
  return (leading << CELL_BITS) | ((dur_ns >>> (leading - CELL_BITS)) & ((1 << CELL_BITS) - 1));
};

/** By cell two numbers, which lie together: the bin in which it begins, and the least duration of the next bin, in ns. */
const bins = new Uint32Array(2 * CELLS);

function binByLogarithm(dur_ns: number): number {
  return Math.trunc(Math.log(dur_ns) * 43.42944819032518 + 1e-9);
}

/** The least duration above `dur_ns` that is in a later bin. */
function nextBin_ns(dur_ns: number): number {
  const bin = binByLogarithm(dur_ns);
  // Bins are less than a fortieth wide.
  let [within, beyond] = [dur_ns, Math.ceil(dur_ns * 1.025) + 1];
  while (beyond - within > 1) {
    const middle = Math.floor((within + beyond) / 2);
    if (binByLogarithm(middle) > bin) beyond = middle;
    else within = middle;
  }
  return beyond;
}

for (let cell = CELL_BITS << CELL_BITS; cell < CELLS; cell++) {
  const leading = cell >> CELL_BITS;
  const least_ns = ((1 << CELL_BITS) | (cell & ((1 << CELL_BITS) - 1))) * 2 ** (leading - CELL_BITS);
  bins[2 * cell] = binByLogarithm(least_ns);
  bins[2 * cell + 1] = nextBin_ns(least_ns);
}

/** floor(100 log10 of a duration in whole ns); what is below 100 ns is in bin 200, as in `etw_ready_wait_bin`. Of millions of waits logarithms take long. */
export function binOf(dur_ns: number): number {
  if (dur_ns < SHORTEST_NS) return binByLogarithm(SHORTEST_NS);
  if (dur_ns >= LONG_NS) return binByLogarithm(dur_ns);
  const cell = cellOf(dur_ns);
  // Without a branch: half of the durations of a cell may be in either bin.
  return (bins[2 * cell] ?? 0) + (((bins[2 * cell + 1] ?? 0) - 1 - dur_ns) >>> 31);
}
