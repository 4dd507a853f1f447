import { formatCount, formatCpuTime, formatShare } from '../../shared/model/index.ts';
import {
  addPanel,
  boxAt,
  flameChart,
  flameHeight,
  layOut,
  livePlot,
  makeTooltip,
  type End,
  type FlameNode,
  type Margins,
} from '../kit/index.ts';
import type { FlameAnswer, StretchOpen } from './questions.ts';

const MARGINS: Margins = { top: 2, right: 2, bottom: 2, left: 2 };
const LOOK = { upward: false, search: '' };

/** The stacks of a range's samples. A click zooms into a frame, one on the outermost back. Returns what ends it. */
export function drawRangeFlame(
  parent: HTMLElement,
  { samples, weight_ns, root }: NonNullable<FlameAnswer>,
  more: { readonly title: StretchOpen['title']; readonly open: () => void },
): End {
  const time = weight_ns === 0 ? '' : `, ${formatCpuTime(weight_ns)}`;
  const panel = addPanel(parent, 'Samples', `${formatCount(samples)}${time} · click zooms`);
  const row = panel.appendChild(panel.ownerDocument.createElement('p'));
  row.className = 'timeline-opens';
  const button = row.appendChild(panel.ownerDocument.createElement('button'));
  button.type = 'button';
  button.textContent = `Open in ${more.title}`;
  button.addEventListener('click', more.open);
  const tooltip = makeTooltip(panel);
  let boxes = layOut(root, null);
  const label = `The stacks of ${formatCount(samples)} samples, callers above what they call. ${more.title} has them as tables`;
  const plot = livePlot(panel, label, MARGINS, (area) => flameChart(boxes, LOOK)(area));
  const { element } = plot;
  element.style.height = `${flameHeight(boxes) + MARGINS.top + MARGINS.bottom}px`;
  const boxUnder = ({ clientX, clientY }: MouseEvent) => {
    const area = plot.current();
    const { left, top } = element.getBoundingClientRect();
    if (area === null) return undefined;
    return boxes[boxAt(clientX - left - MARGINS.left, clientY - top - MARGINS.top, boxes, LOOK, area)];
  };
  const linesOf = ({ label: name, samples: all, self }: FlameNode) => [
    name,
    `${formatCount(all)} samples (${formatShare(all / samples)})`,
    `${formatCount(self)} samples in itself`,
  ];
  element.addEventListener('pointermove', (event) => {
    const box = boxUnder(event);
    if (box === undefined) tooltip.hide();
    else tooltip.show(event, linesOf(box.node));
  });
  element.addEventListener('pointerleave', () => tooltip.hide());
  element.addEventListener('click', (event) => {
    const box = boxUnder(event);
    if (box === undefined) return;
    boxes = layOut(root, box.row === 0 ? null : box.node.key);
    plot.redraw();
  });
  return () => {
    plot.end();
    panel.remove();
  };
}
