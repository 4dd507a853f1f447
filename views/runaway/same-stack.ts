import type { Calls } from '../../shared/samples/index.ts';

/** Without symbols, instructions of one page of an image are at one place: a loop is seldom longer. */
const PAGE_BYTES = 4096;

const kept = new WeakMap<Calls, Float64Array>();

/**
 * For each callsite a number that two share whose stacks are at the same places, frame by frame: at the same function where
 * its name is known, else at the same page of an image. It is a hash of 53 bits: among two million stacks, the chance that
 * any two different ones share it is about 1 in 4500.
 */
export function stackKeys(calls: Calls): Float64Array {
  const before = kept.get(calls);
  if (before !== undefined) return before;
  const keys = new Float64Array(calls.caller.length);
  const high = new Int32Array(keys.length);
  const low = new Int32Array(keys.length);
  // A callsite comes after its caller.
  for (let at = 0; at < keys.length; at++) {
    const caller = calls.caller[at] ?? -1;
    const frame = calls.frame[at] ?? 0;
    const known = calls.function[frame] ?? -1;
    const within = known === -1 ? (calls.image[frame] ?? 0) : known;
    const page = known === -1 ? Math.floor((calls.rva[frame] ?? 0) / PAGE_BYTES) : -1;
    high[at] = mix(mix(caller < 0 ? 1 : (high[caller] ?? 0), within), page);
    low[at] = mix(mix(caller < 0 ? 2 : (low[caller] ?? 0), page), within);
    keys[at] = ((high[at] ?? 0) & 0x1fffff) * 2 ** 32 + ((low[at] ?? 0) >>> 0);
  }
  kept.set(calls, keys);
  return keys;
}

/** The end of MurmurHash3, after a value is added. */
function mix(hash: number, value: number): number {
  let mixed = Math.imul(hash, 0x9e3779b1) + (value | 0) + Math.floor(value / 2 ** 32);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
