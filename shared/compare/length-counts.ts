import { grown } from '../tables/index.ts';

/** More than the class of any length. */
const CLASSES = 1024;
/** So many classes that follow one another are counted in one page: lengths of one kind are mostly alike. */
const PAGE = 64;
const PAGES = CLASSES / PAGE;

/**
 * How many lengths of each class there are, by groups that are small whole numbers. What is counted lies close together, since memory
 * that is not in the cache takes most of the time.
 */
export class LengthCounts {
  /** By group, and in it by page: where the page is among the counts, in pages; 0 for none. */
  #places = new Int32Array(0);
  #counts = new Uint32Array(64 * PAGE);
  /** How many pages there are. The first one belongs to no group. */
  #pages = 1;

  /** Counts a length of a class. */
  add(group: number, of: number): void {
    const at = group * PAGES + Math.floor(of / PAGE);
    const place = this.#places[at] ?? 0;
    const count = (place === 0 ? this.#newPage(at) : place) * PAGE + (of & (PAGE - 1));
    this.#counts[count] = (this.#counts[count] ?? 0) + 1;
  }

  /** Tells all that were counted, in the order of groups and classes. */
  each(tell: (group: number, of: number, count: number) => void): void {
    for (let at = 0; at < this.#places.length; at++) {
      const place = this.#places[at] ?? 0;
      if (place === 0) continue;
      for (let index = 0; index < PAGE; index++) {
        const count = this.#counts[place * PAGE + index] ?? 0;
        if (count > 0) tell(Math.floor(at / PAGES), (at % PAGES) * PAGE + index, count);
      }
    }
  }

  /** Forgets all. */
  clear(): void {
    this.#places.fill(0);
    this.#counts.fill(0, 0, this.#pages * PAGE);
    this.#pages = 1;
  }

  #newPage(at: number): number {
    if (at >= this.#places.length)
      this.#places = grown(this.#places, new Int32Array(Math.max(64 * PAGES, 2 * at)));
    const place = this.#pages++;
    if (this.#pages * PAGE > this.#counts.length)
      this.#counts = grown(this.#counts, new Uint32Array(2 * this.#counts.length));
    this.#places[at] = place;
    return place;
  }
}
