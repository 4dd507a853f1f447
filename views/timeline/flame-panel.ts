import { formatCount, formatCpuTime, formatShare } from '../../shared/model/index.ts';
import { addPanel, mountFlame, type End, type FlameNode } from '../kit/index.ts';
import type { FlameAnswer, StretchOpen } from './questions.ts';

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
  const label = `The stacks of ${formatCount(samples)} samples, callers above what they call. ${more.title} has them as tables`;
  const lines = ({ label: name, samples: all, self }: FlameNode) => [
    name,
    `${formatCount(all)} samples (${formatShare(all / samples)})`,
    `${formatCount(self)} samples in itself`,
  ];
  const end = mountFlame(panel, root, { label, look: LOOK, lines });
  return () => {
    end();
    panel.remove();
  };
}
