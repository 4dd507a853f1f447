/** A figure that a benchmark gives back, to be written into docs/performance.md. */
export interface Measured {
  readonly area: string;
  readonly measure: string;
  readonly value: string;
  /** Where it is not the load that is named when it is recorded. */
  readonly load?: string;
}
