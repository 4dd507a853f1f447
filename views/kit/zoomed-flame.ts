import { boxAt, flameChart, flameHeight, type FlameLook } from './flame-chart.ts';
import { layOut } from './flame-layout.ts';
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

/** Puts a flame chart into a panel. A click zooms into a frame, one on the outermost back. Returns what ends it. */
export function mountFlame(parent: HTMLElement, root: FlameNode, { label, look, lines }: ZoomedFlame): End {
  const tooltip = makeTooltip(parent);
  let boxes = layOut(root, null);
  const plot = livePlot(parent, label, MARGINS, (area) => flameChart(boxes, look)(area));
  const { element } = plot;
  element.style.height = `${flameHeight(boxes) + MARGINS.top + MARGINS.bottom}px`;
  const boxUnder = ({ clientX, clientY }: MouseEvent) => {
    const area = plot.current();
    const { left, top } = element.getBoundingClientRect();
    if (area === null) return undefined;
    return boxes[boxAt(clientX - left - MARGINS.left, clientY - top - MARGINS.top, boxes, look, area)];
  };
  element.addEventListener('pointermove', (event) => {
    const box = boxUnder(event);
    if (box === undefined) tooltip.hide();
    else tooltip.show(event, lines(box.node));
  });
  element.addEventListener('pointerleave', () => tooltip.hide());
  element.addEventListener('click', (event) => {
    const box = boxUnder(event);
    if (box === undefined) return;
    boxes = layOut(root, box.row === 0 ? null : box.node.key);
    plot.redraw();
  });
  return () => plot.end();
}
