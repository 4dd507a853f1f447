/** One frame of the picture, with all that it called. */
export interface FlameNode {
  /** From its name and those of its callers, so that it is the same whatever the range. */
  readonly key: number;
  readonly label: string;
  /** The module of the frame; empty for a group, and where none is known. */
  readonly module: string;
  /** Samples in it or in what it called. */
  readonly samples: number;
  /** Samples in itself. */
  readonly self: number;
  /** Most samples first. What is missing to `samples` was too small to draw. */
  readonly children: readonly FlameNode[];
}
