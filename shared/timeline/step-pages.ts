/** So many steps at most make a block. A block lies in a row of so many places, so that it never lies in two pages. */
const BLOCK_BITS = 6;
export const BLOCK_STEPS = 1 << BLOCK_BITS;
export const BLOCK_MASK = BLOCK_STEPS - 1;
/** So many places make a page. */
const PAGE_BITS = 18;
export const PAGE_STEPS = 1 << PAGE_BITS;
export const PAGE_MASK = PAGE_STEPS - 1;

/** The page that a place is in; its place there is `place & PAGE_MASK`. */
export function pageOf(place: number): number {
  return place >> PAGE_BITS;
}

/**
 * The steps of lanes in pages: nothing is moved as they grow, which would take most of the time. A step is the ns since the beginning
 * of its block, and a value.
 */
export class StepPages {
  readonly offsets: Uint32Array[] = [];
  readonly values: (Uint16Array | Uint32Array)[] = [];
  readonly #isWide: boolean;

  constructor(isWide: boolean) {
    this.#isWide = isWide;
  }

  /** Has room for `steps` in a page. What it holds stays, as far as there is room for it. */
  resize(page: number, steps: number): void {
    const offsets = new Uint32Array(steps);
    const values = this.#isWide ? new Uint32Array(steps) : new Uint16Array(steps);
    const [before, valuesBefore] = [this.offsets[page], this.values[page]];
    if (before !== undefined) offsets.set(before.subarray(0, steps));
    if (valuesBefore !== undefined) values.set(valuesBefore.subarray(0, steps));
    this.offsets[page] = offsets;
    this.values[page] = values;
  }
}
