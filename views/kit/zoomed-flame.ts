import { boxAt, drawCursor, flameChart, flameHeight, type FlameLook } from './flame-chart.ts';
import { layOut, steppedTo, type Box } from './flame-layout.ts';
import type { FlameNode } from './flame-node.ts';
import type { End } from './page.ts';
import { livePlot, type Margins } from './plot.ts';
import { makeTooltip } from './tooltip.ts';

const MARGINS: Margins = { top: 2, right: 2, bottom: 2, left: 2 };

/** How a flame chart is shown. */
export interface ZoomedFlame {
  /** Names it for screen readers, and says where the same facts are as a table. */
  readonly label: string;
  readonly look: FlameLook;
  /** The tooltip of a frame; the first line stands out. */
  readonly lines: (node: FlameNode) => readonly string[];
}

/**
 * Puts a flame chart into a panel. A click zooms into a frame, one on the outermost back; so do the arrow keys with Enter, and
 * Backspace. Returns what ends it.
 */
export function mountFlame(parent: HTMLElement, root: FlameNode, { label, look, lines }: ZoomedFlame): End {
  const tooltip = makeTooltip(parent);
  let boxes = layOut(root, null);
  let cursor = 0;
  /** Whether a key has moved the cursor since it was last drawn. */
  let hasMoved = false;
  const keys = 'Arrow keys move, Enter zooms in, Backspace out.';
  const chart = (area: Parameters<ReturnType<typeof flameChart>>[0]) => flameChart(boxes, look)(area);
  const plot = livePlot(parent, `${label}. ${keys}`, MARGINS, chart, (area) => {
    const box = boxes[cursor];
    if (box === undefined || element !== element.ownerDocument.activeElement) return;
    const frame = drawCursor(area, box, boxes, look);
    if (hasMoved && frame !== null) tell(box, frame);
    hasMoved = false;
  });
  const { element } = plot;
  element.style.height = `${flameHeight(boxes) + MARGINS.top + MARGINS.bottom}px`;
  element.tabIndex = 0;

  /** Says what the cursor stands on: a narrow box has no label. */
  const tell = ({ node }: Box, frame: Element) => {
    element.ariaDescription = lines(node).join('; ');
    frame.scrollIntoView({ block: 'nearest' });
    const { left, bottom } = frame.getBoundingClientRect();
    tooltip.show({ clientX: left, clientY: bottom }, lines(node));
  };
  const boxUnder = ({ clientX, clientY }: MouseEvent) => {
    const area = plot.current();
    const { left, top } = element.getBoundingClientRect();
    if (area === null) return undefined;
    return boxes[boxAt(clientX - left - MARGINS.left, clientY - top - MARGINS.top, boxes, look, area)];
  };
  const zoomTo = (box: Box | undefined) => {
    if (box === undefined) return;
    boxes = layOut(root, box.row === 0 ? null : box.node.key);
    cursor = boxes.filter(({ spine }) => spine).length - 1;
    plot.redraw();
  };
  const move = (to: number) => {
    cursor = to;
    hasMoved = true;
    plot.redrawOverlay();
  };
  element.addEventListener('pointermove', (event) => {
    const box = boxUnder(event);
    if (box === undefined) tooltip.hide();
    else tooltip.show(event, lines(box.node));
  });
  element.addEventListener('pointerleave', () => tooltip.hide());
  element.addEventListener('focus', () => plot.redrawOverlay());
  element.addEventListener('blur', () => {
    plot.redrawOverlay();
    tooltip.hide();
  });
  element.addEventListener('click', (event) => zoomTo(boxUnder(event)));
  element.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = steppedTo(boxes, cursor, event.key, look.upward);
    if (event.key === 'Enter') zoomTo(boxes[cursor]);
    else if (event.key === 'Backspace') zoomTo(boxes[boxes.filter(({ spine }) => spine).length - 2]);
    else if (next !== null) move(next);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return () => plot.end();
}
