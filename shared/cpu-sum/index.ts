/** The parts of the keys of `_etw_cpu_sum`, row by row. */
export interface CpuSumKeys {
  /** Number of the step of time, from 0. */
  readonly step: Int32Array;
  readonly utid: Int32Array;
  /** The rank; {@link RANK_NOT_RECORDED} where none is known. */
  readonly rank: Uint8Array;
  readonly priority: Uint8Array;
}

export const RANK_NOT_RECORDED = 255;

/** Takes the keys of `_etw_cpu_sum` apart: the step is beyond 32 bits, where shifts will not do. */
export function unpackCpuSumKeys(keys: Float64Array): CpuSumKeys {
  const [step, utid] = [new Int32Array(keys.length), new Int32Array(keys.length)];
  const [rank, priority] = [new Uint8Array(keys.length), new Uint8Array(keys.length)];
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row] ?? 0;
    const above = Math.floor(key / 2 ** 14);
    step[row] = above / 2 ** 24;
    utid[row] = above & 0xffffff;
    rank[row] = (key >>> 6) & 0xff;
    priority[row] = key & 63;
  }
  return { step, utid, rank, priority };
}
