import {
  modeOf,
  priorityOf,
  rankOf,
  weightOf,
  type Calls,
  type Samples,
} from '../../shared/samples/index.ts';
import { processLabel, threadLabel, type ThreadName } from '../../shared/threads/index.ts';
import type { ModeCounts, SampleGroup } from './model.ts';
import { groupingOf, modeAsked, type CpuSampledParams, type Grouping } from './params.ts';

/** The samples of one group, by row. */
export interface PickedGroup extends SampleGroup {
  readonly rows: Int32Array;
}

/** The samples that the filters let through. */
export interface Picked {
  readonly samples: number;
  readonly modes: ModeCounts;
  /** CPU time that they stand for. */
  readonly weight_ns: number;
  /** Most samples first. */
  readonly groups: readonly PickedGroup[];
}

interface Group {
  readonly label: string;
  samples: number;
  readonly modes: Record<keyof ModeCounts, number>;
}

/** Filters samples and groups them. */
export function pickSamples(
  samples: Samples,
  calls: Calls,
  threads: ReadonlyMap<number, ThreadName>,
  params: CpuSampledParams,
): Picked {
  const by = groupingOf(params);
  const mode = modeAsked(params);
  const isThread = threadFilter(threads, params);
  const isImage = imageFilter(calls, params.module?.toLowerCase() ?? '');
  const modes = { user: 0, kernel: 0, dpc: 0, isr: 0 };
  const groups: Group[] = [];
  const indices = new Map<number, number>();
  /** The group of each sample, −1 where a filter holds it back. */
  const groupOf = new Int32Array(samples.count).fill(-1);
  let weight_ns = 0;
  for (let row = 0; row < samples.count; row++) {
    const utid = samples.utid[row] ?? 0;
    if (isThread?.[utid] === 0) continue;
    const at = modeOf(samples, row);
    if (mode !== null && at !== mode) continue;
    const image = calls.image[calls.frame[samples.callsite[row] ?? 0] ?? 0] ?? 0;
    if (isImage?.[image] === false) continue;
    const key = groupKey(by, samples, row, threads, image);
    let index = indices.get(key);
    if (index === undefined) {
      const label = groupLabel(by, samples, row, threads.get(utid), calls.images[image] ?? '');
      index = groups.push({ label, samples: 0, modes: { user: 0, kernel: 0, dpc: 0, isr: 0 } }) - 1;
      indices.set(key, index);
    }
    const group = groups[index];
    if (group === undefined) continue;
    groupOf[row] = index;
    group.samples++;
    group.modes[at]++;
    modes[at]++;
    weight_ns += weightOf(samples, row);
  }
  const picked = groups
    .map((group, index) => ({ ...group, index, rows: new Int32Array(group.samples) }))
    .sort((a, b) => b.samples - a.samples);
  fillRows(picked, groupOf);
  return { samples: picked.reduce((sum, group) => sum + group.samples, 0), modes, weight_ns, groups: picked };
}

function fillRows(
  groups: readonly { readonly index: number; readonly rows: Int32Array }[],
  groupOf: Int32Array,
): void {
  const rowsOf: Int32Array[] = [];
  for (const { index, rows } of groups) rowsOf[index] = rows;
  const filled = new Int32Array(groups.length);
  groupOf.forEach((index, row) => {
    const rows = rowsOf[index];
    if (rows === undefined) return;
    const at = filled[index] ?? 0;
    rows[at] = row;
    filled[index] = at + 1;
  });
}

/** For each utid 1 if its samples are wanted, else 0; null if all are. */
function threadFilter(
  threads: ReadonlyMap<number, ThreadName>,
  { process, tid }: CpuSampledParams,
): Uint8Array | null {
  const text = process?.toLowerCase() ?? '';
  if (text === '' && tid === null) return null;
  let last = 0;
  for (const utid of threads.keys()) last = Math.max(last, utid);
  const isThread = new Uint8Array(last + 1);
  for (const [utid, thread] of threads) isThread[utid] = isWanted(thread, text, tid) ? 1 : 0;
  return isThread;
}

/** For each image whether the samples in it are wanted; null if all are. */
function imageFilter({ images }: Calls, text: string): readonly boolean[] | null {
  if (text === '') return null;
  return images.map((path) => lastPart(path).toLowerCase().includes(text));
}

function isWanted(thread: ThreadName, process: string, tid: number | null): boolean {
  if (tid !== null && thread.tid !== tid) return false;
  return process === '' || (thread.process ?? '').toLowerCase().includes(process);
}

/** Beyond any rank or priority. */
const NOT_RECORDED = 999;

function groupKey(
  by: Grouping,
  samples: Samples,
  row: number,
  threads: ReadonlyMap<number, ThreadName>,
  image: number,
): number {
  switch (by) {
    case 'process':
      return threads.get(samples.utid[row] ?? 0)?.upid ?? -1;
    case 'thread':
      return samples.utid[row] ?? 0;
    case 'module':
      return image;
    case 'priority':
      return priorityOf(samples, row) ?? NOT_RECORDED;
    case 'rank-priority':
      return (rankOf(samples, row) ?? NOT_RECORDED) * 1000 + (priorityOf(samples, row) ?? NOT_RECORDED);
    case 'none':
      return 0;
  }
}

function groupLabel(
  by: Grouping,
  samples: Samples,
  row: number,
  thread: ThreadName | undefined,
  path: string,
): string {
  const known = priorityOf(samples, row);
  const priority = known === null ? 'priority not recorded' : `priority ${known}`;
  const rank = rankOf(samples, row);
  switch (by) {
    case 'process':
      return processLabel(thread);
    case 'thread':
      return threadLabel(thread);
    case 'module':
      return lastPart(path) || 'unknown code';
    case 'priority':
      return priority;
    case 'rank-priority':
      return `${rank === null ? 'rank not recorded' : `rank ${rank}`}, ${priority}`;
    case 'none':
      return 'all samples';
  }
}

function lastPart(path: string): string {
  return path.split('\\').at(-1) ?? '';
}
