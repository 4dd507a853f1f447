import { layOut, type Box } from '../kit/index.ts';
import type { CpuSampledModel } from './model.ts';
import { partWords, shareWords } from './words.ts';

/**
 * A frame's stack as text: how many samples went this way, and then each frame from the group on, the outermost first. Null
 * for the frame that holds all.
 */
export function copiedStack(boxes: readonly Box[], at: number, model: CpuSampledModel): string | null {
  const chosen = boxes[at];
  if (chosen === undefined || chosen.row === 0) return null;
  const frames: string[] = [];
  for (let box: Box | undefined = chosen; box !== undefined && box.row > 0; box = boxes[box.parent]) {
    frames.unshift(box.node.label);
  }
  const { samples, self } = chosen.node;
  const sums = `${partWords(samples, model)}; in the last frame itself ${shareWords(self, model)}`;
  return [sums, ...frames].join('\n');
}

/** The stack of the largest frame of the picture that has this label; null if none is large enough to be drawn. */
export function heaviestStack(label: string, model: CpuSampledModel): string | null {
  const boxes = layOut(model.root, null);
  let [most, largest] = [0, -1];
  boxes.forEach(({ node, row }, at) => {
    // The first row is of groups.
    if (row < 2 || node.label !== label || node.samples <= most) return;
    [most, largest] = [node.samples, at];
  });
  return copiedStack(boxes, largest, model);
}
