import { formatCount, formatCpuTime, formatShare } from '../../shared/model/index.ts';
import type { HotLoop } from '../../shared/profile/index.ts';
import { processLabel } from '../../shared/threads/index.ts';
import { isFound, type Box, type FlameLook, type FlameNode } from '../kit/index.ts';
import type { CpuSampledModel } from './model.ts';

/** What the picture's frame says of itself. */
export function nodeLines({ label, samples, self }: FlameNode, model: CpuSampledModel): readonly string[] {
  return [label, partWords(samples, model), `${shareWords(self, model)} in itself`];
}

/** So many samples in words: their share of all, and the CPU time that they stand for. */
export function partWords(samples: number, model: CpuSampledModel): string {
  const share = shareWords(samples, model);
  return model.interval_ns === null ? share : `${share}, ${formatCpuTime(samples * model.interval_ns)}`;
}

/** So many samples in words, with their share of all. */
export function shareWords(samples: number, model: CpuSampledModel): string {
  return `${formatCount(samples)} samples (${formatShare(samples / total(model))})`;
}

/** Where the samples are from, as named numbers. */
export function summary(model: CpuSampledModel): readonly (readonly [string, string])[] {
  const { samples, all_samples, interval_ns, modes } = model;
  const part = (count: number) => formatShare(count / total(model));
  return [
    [samples === all_samples ? 'samples' : `of ${formatCount(all_samples)} samples`, formatCount(samples)],
    ...(interval_ns === null ? [] : [['CPU time', formatCpuTime(samples * interval_ns)] as const]),
    ['user', part(modes.user)],
    ['kernel', part(modes.kernel)],
    ['DPC', part(modes.dpc)],
    ['ISR', part(modes.isr)],
  ];
}

/** A hot loop in one sentence. */
export function loopSentence(loop: HotLoop): string {
  const threads = loop.threads === 1 ? 'one thread' : `${formatCount(loop.threads)} threads`;
  return (
    `${formatShare(loop.share)} of the samples of ${processLabel(loop)} are in ${loop.addresses} instructions within ` +
    `${loop.bytes} bytes, ${loop.from} to ${loop.to}: ${formatCount(loop.samples)} samples of ${threads}.`
  );
}

/** How many rows a table has, and of how many: those beyond are there with another param. */
export function rowsWords(rows: number, count: number): string {
  if (rows < count)
    return `the first ${formatCount(rows)} of ${formatCount(count)}; the filter Rows shows more`;
  return count === 1 ? '1 row' : `${formatCount(count)} rows`;
}

function total({ samples }: CpuSampledModel): number {
  return Math.max(1, samples);
}

/** What stands in for the picture of a model without samples. */
export function emptyWords({ all_samples }: Pick<CpuSampledModel, 'all_samples'>): string {
  return `In this range no sample was taken${all_samples === 0 ? '' : ' that the filters let through'}.`;
}

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
