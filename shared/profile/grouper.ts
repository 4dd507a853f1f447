import { fileName } from '../model/index.ts';
import type { Calls, Mode, SampleKind } from '../samples/index.ts';
import { processLabel, threadLabel, type ThreadName } from '../threads/index.ts';

/** By what samples are grouped. */
export const GROUPINGS = ['process', 'thread', 'module', 'priority', 'rank-priority', 'none'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Which samples are looked at, and by what they are grouped. Names are parts of names; null for any. */
export interface SampleFilters {
  readonly by: Grouping;
  readonly mode: Mode | 'all';
  readonly process: string | null;
  readonly tid: number | null;
  /** Of the innermost frame. */
  readonly module: string | null;
}

/** The group of what a filter holds back. */
export const NO_GROUP = -1;

/** Beyond any rank or priority. */
const NOT_RECORDED = 999;

/** Tells the group of samples, as numbers from 0 on, in the order in which they are asked for. */
export class Grouper {
  readonly #calls: Calls;
  readonly #threads: ReadonlyMap<number, ThreadName>;
  readonly #params: SampleFilters;
  readonly #by: Grouping;
  readonly #groups = new Map<number, number>();
  /** What the groups are called. */
  readonly labels: string[] = [];

  constructor(calls: Calls, threads: ReadonlyMap<number, ThreadName>, params: SampleFilters) {
    this.#calls = calls;
    this.#threads = threads;
    this.#params = params;
    this.#by = params.by;
  }

  /** Whether the image of a sample's innermost frame decides, too. */
  get needsImages(): boolean {
    return this.#by === 'module' || (this.#params.module ?? '') !== '';
  }

  /** The group of samples of this kind; any but {@link NO_GROUP} if the image decides which. */
  ofKind(kind: SampleKind): number {
    const thread = this.#threads.get(kind.utid);
    const { mode } = this.#params;
    if (mode !== 'all' && kind.mode !== mode) return NO_GROUP;
    if (!isWanted(thread, this.#params)) return NO_GROUP;
    const by = this.#by;
    if (by === 'module') return 0;
    return this.#group(keyOf(by, kind, thread), () => labelOf(by, kind, thread));
  }

  /** The group of samples of this image; any but {@link NO_GROUP} if the kind decides which. */
  ofImage(image: number): number {
    const name = fileName(this.#calls.images[image] ?? '');
    if (!name.toLowerCase().includes(this.#params.module?.toLowerCase() ?? '')) return NO_GROUP;
    return this.#by === 'module' ? this.#group(image, () => name || 'unknown code') : 0;
  }

  #group(key: number, label: () => string): number {
    const group = this.#groups.get(key) ?? this.labels.push(label()) - 1;
    this.#groups.set(key, group);
    return group;
  }
}

function isWanted(thread: ThreadName | undefined, { process, tid }: SampleFilters): boolean {
  if (tid !== null && thread?.tid !== tid) return false;
  return (thread?.process ?? '').toLowerCase().includes(process?.toLowerCase() ?? '');
}

type ByKind = Exclude<Grouping, 'module'>;

function keyOf(by: ByKind, { utid, rank, priority }: SampleKind, thread: ThreadName | undefined): number {
  switch (by) {
    case 'process':
      return thread?.upid ?? -1;
    case 'thread':
      return utid;
    case 'priority':
      return priority ?? NOT_RECORDED;
    case 'rank-priority':
      return (rank ?? NOT_RECORDED) * 1000 + (priority ?? NOT_RECORDED);
    case 'none':
      return 0;
  }
}

function labelOf(by: ByKind, { rank, priority: known }: SampleKind, thread: ThreadName | undefined): string {
  const priority = known === null ? 'priority not recorded' : `priority ${known}`;
  switch (by) {
    case 'process':
      return processLabel(thread);
    case 'thread':
      return threadLabel(thread);
    case 'priority':
      return priority;
    case 'rank-priority':
      return `${rank === null ? 'rank not recorded' : `rank ${rank}`}, ${priority}`;
    case 'none':
      return 'all samples';
  }
}
