import * as d3 from 'd3';

/** A small box of text lines that follows the pointer, or what the arrow keys move; the first line stands out. */
export interface Tooltip {
  /** Shows the tooltip next to a point of the window, in px. */
  show(at: Pick<PointerEvent, 'clientX' | 'clientY'>, lines: readonly string[]): void;
  hide(): void;
}

/** Makes a tooltip within `parent`. Screen readers have the same facts in the tables, so it is hidden from them. */
export function makeTooltip(parent: HTMLElement): Tooltip {
  const box = d3.select(parent).append('div').attr('class', 'tooltip').attr('aria-hidden', 'true');
  const element = box.node() as HTMLElement;
  element.hidden = true;
  return {
    show({ clientX, clientY }, lines) {
      box
        .selectAll('p')
        .data(lines)
        .join('p')
        .text((line) => line);
      element.hidden = false;
      const { width, height } = element.getBoundingClientRect();
      const left = clientX + 14 + width > innerWidth ? clientX - 14 - width : clientX + 14;
      const top = clientY + 14 + height > innerHeight ? clientY - 14 - height : clientY + 14;
      box.style('left', `${Math.max(4, left)}px`).style('top', `${Math.max(4, top)}px`);
    },
    hide: () => (element.hidden = true),
  };
}
