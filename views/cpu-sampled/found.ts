import { formatCount, formatShare } from '../../shared/model/index.ts';
import { type Box, type FlameLook, isFound } from '../kit/index.ts';
import type { CpuSampledModel } from './model.ts';

/** How many frames of the picture a search finds, and which part of all samples that it shows is in them or in what they called. */
export function foundWords(
  boxes: readonly Box[],
  look: FlameLook,
  { samples: all }: Pick<CpuSampledModel, 'samples'>,
): string {
  const within = new Set<number>();
  const counted = new Set<number>();
  let [frames, samples] = [0, 0];
  boxes.forEach((box, at) => {
    const isHit = isFound(box, look);
    if (isHit) frames++;
    if (!isHit && !within.has(box.parent)) return;
    within.add(at);
    // Of the callers of what the picture is zoomed into, only that part is shown.
    if (box.spine && boxes[at + 1]?.spine === true) return;
    counted.add(at);
    if (!counted.has(box.parent)) samples += box.node.samples;
  });
  const found = frames === 1 ? 'one frame' : `${formatCount(frames)} frames`;
  return `${found} found, with ${formatShare(samples / Math.max(1, all))} of the samples`;
}
