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
  readonly rows: readonly number[];
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
  readonly rows: number[];
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
  const process = params.process?.toLowerCase() ?? '';
  const wanted = new Set(
    [...threads].filter(([, thread]) => isWanted(thread, process, params.tid)).map(([utid]) => utid),
  );
  const anyThread = process === '' && params.tid === null;
  const text = params.module?.toLowerCase() ?? '';
  const inModule = calls.images.map((path) => lastPart(path).toLowerCase().includes(text));
  const modes = { user: 0, kernel: 0, dpc: 0, isr: 0 };
  const groups = new Map<number, Group>();
  let weight_ns = 0;
  for (let row = 0; row < samples.count; row++) {
    const utid = samples.utid[row] ?? 0;
    if (!anyThread && !wanted.has(utid)) continue;
    const at = modeOf(samples, row);
    if (mode !== null && at !== mode) continue;
    const image = calls.image[calls.frame[samples.callsite[row] ?? 0] ?? 0] ?? 0;
    if (inModule[image] !== true) continue;
    const key = groupKey(by, samples, row, threads.get(utid), image);
    let group = groups.get(key);
    if (group === undefined) {
      const label = groupLabel(by, samples, row, threads.get(utid), calls.images[image] ?? '');
      group = { label, rows: [], modes: { user: 0, kernel: 0, dpc: 0, isr: 0 } };
      groups.set(key, group);
    }
    group.rows.push(row);
    group.modes[at]++;
    modes[at]++;
    weight_ns += weightOf(samples, row);
  }
  const sorted = [...groups.values()]
    .map((group) => ({ ...group, samples: group.rows.length }))
    .sort((a, b) => b.samples - a.samples);
  return { samples: sorted.reduce((sum, group) => sum + group.samples, 0), modes, weight_ns, groups: sorted };
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
  thread: ThreadName | undefined,
  image: number,
): number {
  switch (by) {
    case 'process':
      return thread?.upid ?? -1;
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
