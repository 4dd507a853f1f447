import { lastAtMost } from '../column-table.ts';

/** A page of a tree: its level, 0 for leaves, and which of that level it is. */
export interface TreePlace {
  readonly level: number;
  readonly index: number;
}

interface Level {
  readonly count: number;
  /** The number of the level's first page within the tree. */
  readonly firstPage: number;
}

/**
 * Which page of a B-tree leads to which: reckoned from the number of leaves alone. Pages are numbered from 0, leaves first, then
 * level upon level; the last one is the root.
 */
export class TreeShape {
  readonly pageCount: number;
  readonly leafCount: number;
  readonly #fanout: number;
  readonly #levels: Level[] = [];

  /** `fanout`: most children of a page, at least 3. A tree without rows has one leaf. */
  constructor(leafCount: number, fanout: number) {
    this.#fanout = fanout;
    this.leafCount = leafCount;
    let count = leafCount;
    let firstPage = 0;
    for (;;) {
      this.#levels.push({ count, firstPage });
      firstPage += count;
      if (count === 1) break;
      count = Math.ceil(count / fanout);
    }
    this.pageCount = firstPage;
  }

  /** Where page `page` of the tree is. */
  placeOf(page: number): TreePlace {
    const level = lastAtMost(this.#levels.length, (i) => this.#level(i).firstPage, page);
    return { level, index: page - this.#level(level).firstPage };
  }

  /** The page at a place. */
  pageAt({ level, index }: TreePlace): number {
    return this.#level(level).firstPage + index;
  }

  /** The children of a page of a level above 0: from `first` to `end` (exclusive) of the level below. At least two. */
  children({ level, index }: TreePlace): { readonly first: number; readonly end: number } {
    return { first: this.#firstChild(level, index), end: this.#firstChild(level, index + 1) };
  }

  /** The last leaf below a page. */
  lastLeaf({ level, index }: TreePlace): number {
    let last = index;
    for (let above = level; above > 0; above--) last = this.#firstChild(above, last + 1) - 1;
    return last;
  }

  /** The last page of a level takes a child of the one before it rather than have a single one. */
  #firstChild(level: number, index: number): number {
    const below = this.#level(level - 1).count;
    return index === this.#level(level).count - 1 && index > 0
      ? Math.min(index * this.#fanout, below - 2)
      : Math.min(index * this.#fanout, below);
  }

  #level(level: number): Level {
    const found = this.#levels[level];
    if (found === undefined) throw new RangeError(`no level ${level} in a tree of ${this.#levels.length}`);
    return found;
  }
}
