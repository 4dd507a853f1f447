/** What rows of waits are filtered and grouped by: columns of equal length. */
export interface WaitKeys {
  readonly utid: Uint32Array;
  /** Rank, priority, cause and bin of the length: see `waitKey`. */
  readonly key: Uint32Array;
  readonly byProcess: RowsByProcess;
}

/** Rows in the order of the codes of their processes (see `ProcessCodes`): pieces, of each where its rows begin and end. */
export interface RowsByProcess {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** By code of a process: where its pieces end, and those of the next one begin. */
  readonly pieceEnds: Uint32Array;
}

/** Waits, a row each. */
export interface WaitRows extends WaitKeys {
  readonly dur_ns: Float64Array;
}

/** Counts of waits that are alike. */
export interface WaitCounts extends WaitKeys {
  readonly waits: Uint32Array;
  readonly sum_ns: Float64Array;
  readonly max_ns: Float64Array;
}
