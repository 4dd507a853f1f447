/** The height of a row in px; the style sheet uses the same. */
export const ROW_PX = 26;

/** Chromium cannot lay out an element taller than 33 554 428 px: longer tables scroll in a shorter one, scaled. */
const TALLEST_PX = 30_000_000;

/** Rows beyond the edges that are kept ready, so that a slow frame shows no gap. */
const SPARE_ROWS = 4;

/** How far a table is scrolled, and how much of it is in sight below the heading. */
interface Measured {
  readonly scrolled_px: number;
  readonly page_px: number;
}

/**
 * Keeps one element for each row in sight of a scrolling table, and reuses it for other rows as they come. It measures the table where
 * it was scrolled or has another size, and not where rows are shown: what is measured after a change lays out all of the page.
 */
export class RowPool {
  readonly #scroller: HTMLElement;
  readonly #body: HTMLElement;
  readonly #id: string;
  readonly #fill: (element: HTMLElement, at: number) => void;
  readonly #elements: HTMLElement[] = [];
  readonly #observer = new ResizeObserver(() => this.#remeasure());
  #rowCount = 0;
  /** How the table lies in its scroller; null before it was shown. */
  #measured: Measured | null = null;

  /** `fill` writes row `at` into an element; `id` starts the rows' element ids. */
  constructor(
    scroller: HTMLElement,
    body: HTMLElement,
    id: string,
    fill: (element: HTMLElement, at: number) => void,
  ) {
    this.#scroller = scroller;
    this.#body = body;
    this.#id = id;
    this.#fill = fill;
    scroller.addEventListener('scroll', () => this.#remeasure());
    this.#observer.observe(scroller);
  }

  /** Follows the table no more. */
  end(): void {
    this.#observer.disconnect();
  }

  /** Fills the rows in sight, out of `rowCount`. */
  show(rowCount: number): void {
    this.#rowCount = rowCount;
    const height_px = Math.min(TALLEST_PX, rowCount * ROW_PX);
    this.#body.style.height = `${height_px}px`;
    const { scrolled_px, page_px } = this.#known();
    // A table that was longer is scrolled back by the browser.
    const scrollTop = Math.max(0, Math.min(scrolled_px, height_px - page_px));
    const seen = scrollTop / this.#scale();
    const first = Math.max(0, Math.floor(seen / ROW_PX) - SPARE_ROWS);
    const count = Math.min(rowCount - first, this.pageLength() + 2 * SPARE_ROWS);
    while (this.#elements.length < count) this.#elements.push(this.#body.appendChild(this.#makeRow()));
    this.#elements.forEach((element, index) => {
      element.hidden = index >= count;
      if (element.hidden) return;
      const at = first + index;
      element.id = `${this.#id}-${at}`;
      element.dataset.at = String(at);
      // Its own place, moved by what the scroll position is scaled.
      element.style.transform = `translateY(${at * ROW_PX - (seen - scrollTop)}px)`;
      this.#fill(element, at);
    });
  }

  /** Scrolls as little as shows row `at` whole. */
  reveal(at: number): void {
    this.#measured = this.#measure();
    const page_px = this.pageLength() * ROW_PX;
    const top = at * ROW_PX;
    const seen = this.#measured.scrolled_px / this.#scale();
    if (top < seen) this.#scroller.scrollTop = top * this.#scale();
    else if (top + ROW_PX > seen + page_px)
      this.#scroller.scrollTop = (top + ROW_PX - page_px) * this.#scale();
    this.#measured = this.#measure();
  }

  /** How many whole rows fit in sight below the heading. */
  pageLength(): number {
    return Math.max(1, Math.floor(this.#known().page_px / ROW_PX));
  }

  /** The row that an event's target lies in, or null. */
  indexOf(target: EventTarget | null): number | null {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null;
    return row === null ? null : Number(row.dataset.at);
  }

  /** The column of the cell that an event's target lies in, or null. */
  columnOf(target: EventTarget | null): number | null {
    const cell = target instanceof Element ? target.closest('[role=gridcell]') : null;
    return cell?.parentElement == null ? null : [...cell.parentElement.children].indexOf(cell);
  }

  #makeRow(): HTMLElement {
    const element = this.#body.ownerDocument.createElement('div');
    element.className = 'row';
    element.setAttribute('role', 'row');
    return element;
  }

  /** Scrolled px for each px of the table as if it were laid out whole: at the end of one is the end of the other. */
  #scale(): number {
    const whole_px = this.#rowCount * ROW_PX;
    if (whole_px <= TALLEST_PX) return 1;
    const { page_px } = this.#known();
    return (TALLEST_PX - page_px) / (whole_px - page_px);
  }

  /** As it was measured last. */
  #known(): Measured {
    return (this.#measured ??= this.#measure());
  }

  #measure(): Measured {
    const { scrollTop, clientHeight } = this.#scroller;
    return { scrolled_px: scrollTop, page_px: clientHeight - this.#body.offsetTop };
  }

  #remeasure(): void {
    this.#measured = this.#measure();
    this.show(this.#rowCount);
  }
}
