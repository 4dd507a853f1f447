import type { Why } from '../why-late/index.ts';

/** What a cell sums: `cpu`: time on CPUs; `ready`: time ready and not running; `blocked`: waits that another thread, a timer or a device ended. */
export type Measure = 'cpu' | 'ready' | 'blocked';

/** At which rank and priority a thread ran; a null rank was not recorded. */
export interface CpuDetail {
  readonly measure: 'cpu';
  readonly rank: number | null;
  readonly priority: number;
}

/** Why a thread did not run although it was ready. */
export interface ReadyDetail {
  readonly measure: 'ready';
  readonly why: Why;
}

/** Why a thread was blocked, and whose thread ended that: null for a DPC. */
export interface BlockedDetail {
  readonly measure: 'blocked';
  readonly reason: string;
  /** The process of the waker, by its number among those of the trace. */
  readonly waker: number | null;
}

export type Detail = CpuDetail | ReadyDetail | BlockedDetail;

/** Sums of one thread class and detail, by block. */
export interface Cell {
  /** Which thread class of the trace, by its number. */
  readonly thread: number;
  readonly detail: Detail;
  readonly ns: Float64Array;
  /** How many: switches to it, or blocked waits that ended. Ready waits are counted by their lengths instead. */
  readonly count: Float64Array;
}

/** The cells of a trace. */
export class Cells {
  readonly #cells = new Map<string, Cell>();
  readonly #blocks: number;

  constructor(blocks: number) {
    this.#blocks = blocks;
  }

  /** The cell of a thread class and a detail, which is made if it is not there. */
  of(thread: number, detail: Detail): Cell {
    const key = `${thread} ${Object.values(detail).join(' ')}`;
    const known = this.#cells.get(key);
    if (known !== undefined) return known;
    const sums = () => new Float64Array(this.#blocks);
    const cell = { thread, detail, ns: sums(), count: sums() };
    this.#cells.set(key, cell);
    return cell;
  }

  all(): readonly Cell[] {
    return [...this.#cells.values()];
  }
}
