import type { Why } from '../why-late/index.ts';

/**
 * What a cell sums: `cpu`: time on CPUs; `ready`: time ready and not running; `blocked`: waits that another thread, a timer or a device
 * ended; `blame`: how long others waited for a thread, all of them together; `samples`: CPU time that samples stand for; `disk_io`,
 * `file_io`: how long these took.
 */
export type Measure = 'cpu' | 'ready' | 'blocked' | 'blame' | 'samples' | 'disk_io' | 'file_io';

/** Measures of waits, which are compared wait by wait: more of them alone are no difference. */
export const WAITS: ReadonlySet<Measure> = new Set(['blocked', 'disk_io', 'file_io']);

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

/** A thread for which others waited. */
export interface BlameDetail {
  readonly measure: 'blame';
}

/** In which module the samples are. */
export interface SampleDetail {
  readonly measure: 'samples';
  readonly module: string;
}

/** What kind of I/O it is, such as `read`. */
export interface IoDetail {
  readonly measure: 'disk_io' | 'file_io';
  readonly kind: string;
}

export type Detail = CpuDetail | ReadyDetail | BlockedDetail | BlameDetail | SampleDetail | IoDetail;

/** A run or a wait of a thread, or a stretch in which others waited for it: where a figure can be looked at. */
export interface Place {
  /** From and to, in ns on the trace clock. */
  readonly ts: number;
  readonly te: number;
  readonly tid: number;
  /** How much of it the figure counts, in ns: of a ready wait the part that has this cause; of blame once for each who waited. */
  readonly counted_ns: number;
}

/** Sums of one thread class and detail, by block. */
export interface Cell {
  /** Which thread class of the trace, by its number. */
  readonly thread: number;
  readonly detail: Detail;
  readonly ns: Float64Array;
  /** How many: switches to it, samples, I/O or blocked waits that ended. Ready waits are counted by their lengths instead. */
  readonly count: Float64Array;
  /** How many runs, blocked waits or I/Os there are of each class of length (`classOf`); of ready waits `Measured.lengths` tells; blame has none. */
  readonly lengths: ClassCounts;
  /** Of samples: ns by function. */
  readonly functions: ReadonlyMap<string, number>;
  /** What counts most; null while there is nothing. */
  readonly most: Place | null;
}

/** How many there are of each class of length. */
export interface ClassCounts {
  /** How many classes there are. */
  readonly size: number;
  forEach(tell: (count: number, of: number) => void): void;
}

/** A cell that is being summed. */
export interface GrowingCell extends Cell {
  readonly lengths: Map<number, number>;
  readonly functions: Map<string, number>;
  most: Place | null;
}

/** Keeps a place if more of it counts than of the one before. */
export function keepMost(
  cell: GrowingCell,
  counted_ns: number,
  place: () => Omit<Place, 'counted_ns'>,
): void {
  if (counted_ns > (cell.most?.counted_ns ?? 0)) cell.most = { ...place(), counted_ns };
}

/** The cells of a trace. */
export class Cells {
  readonly #cells = new Map<string, GrowingCell>();
  readonly #blocks: number;

  constructor(blocks: number) {
    this.#blocks = blocks;
  }

  /** The cell of a thread class and a detail, which is made if it is not there. */
  of(thread: number, detail: Detail): GrowingCell {
    const key = `${thread} ${Object.values(detail).join(' ')}`;
    const known = this.#cells.get(key);
    if (known !== undefined) return known;
    const sums = () => new Float64Array(this.#blocks);
    const cell: GrowingCell = {
      thread,
      detail,
      ns: sums(),
      count: sums(),
      lengths: new Map(),
      functions: new Map(),
      most: null,
    };
    this.#cells.set(key, cell);
    return cell;
  }

  all(): readonly Cell[] {
    return [...this.#cells.values()];
  }
}
