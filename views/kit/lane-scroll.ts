/** A box that a plot stands still in while it scrolls over more lanes than fit. */
export interface LaneScroll {
  /** Where the plot belongs. */
  readonly element: HTMLElement;
  /** The first lane in sight. */
  first(): number;
  /** Calls `listener` when another lane is the first; returns what ends that. */
  readonly onScroll: (listener: () => void) => () => void;
}

/** How far each was scrolled, by its name: a chart that is drawn anew goes on there. */
const places = new Map<string, number>();

/**
 * Appends a box for a plot of `height_px` that shows all but `hidden` of its lanes, which are `row_px` apart. It scrolls by
 * whole lanes, as far as the plot would be high with all of them.
 */
export function scrollLanes(
  parent: HTMLElement,
  name: string,
  {
    hidden,
    row_px,
    height_px,
  }: { readonly hidden: number; readonly row_px: number; readonly height_px: number },
): LaneScroll {
  const element = parent.appendChild(parent.ownerDocument.createElement('div'));
  element.className = 'lane-scroll';
  element.tabIndex = 0;
  element.style.height = `${height_px}px`;
  // The plot sticks to the top of this, above what only makes it long enough to scroll.
  element.style.setProperty('--hidden-height', `${hidden * row_px}px`);
  // Kept, since to ask the element would lay the page out in the middle of a frame.
  let first = 0;
  requestAnimationFrame(() => (element.scrollTop = places.get(name) ?? 0));
  return {
    element,
    first: () => first,
    onScroll: (listener) => {
      const bound = new AbortController();
      const moved = () => {
        const { scrollTop } = element;
        places.set(name, scrollTop);
        const last = first;
        first = Math.max(0, Math.min(hidden, Math.round(scrollTop / row_px)));
        if (first !== last) listener();
      };
      element.addEventListener('scroll', moved, { signal: bound.signal });
      return () => bound.abort();
    },
  };
}
