import { oncePerTrace, type Query } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, programLabel, type ThreadName } from '../../shared/threads/index.ts';
import {
  LaneSums,
  loadLanes,
  type Classes,
  type CpuShade,
  type Lane,
  type Lanes,
  type ThreadLines,
} from '../../shared/timeline/index.ts';
import {
  COLORED_PROCESSES,
  cpuClasses,
  cpuClassList,
  cpuOrder,
  THREAD_ORDER,
  threadClasses,
  type ClassOrder,
  type TrackClass,
} from './classes.ts';
import { loadDiskOperations, type ItemTrack } from './item-tracks.ts';
import { loadMachineTracks, MACHINE_ORDER, MACHINE_VALUES, type Machine } from './machine.ts';
import type { SampleTrack } from './sample-track.ts';

/** What the tracks of a trace are made of; made once. */
export interface Base {
  readonly lanes: Lanes;
  readonly names: ReadonlyMap<number, ThreadName>;
  /** The threads of each process that did anything, by upid; -1 is that of threads without one. */
  readonly threadsOf: ReadonlyMap<number, readonly number[]>;
  readonly cpuClasses: readonly TrackClass[];
  /** How many of the longest ready waits have a cause in their lanes; null before these are judged. */
  judged: number | null;
  readonly ofThreads: Summed;
  readonly ofCpus: Summed;
  /** What CPUs ran by priority and by rank, where that was asked for. */
  readonly shades: Map<CpuShade, { readonly lanes: readonly Lane[]; readonly of: Summed }>;
  /** The ranks and priorities of threads, where that was asked for. */
  readonly lines: Map<CpuShade, ThreadLines>;
  readonly machine: Machine;
  readonly ofMachine: Summed;
  /** Tracks of operations and events by their keys; of events those that were asked for. */
  readonly items: Map<string, ItemTrack>;
  /** Null where there are no samples; undefined before these were asked for. */
  samples: SampleTrack | null | undefined;
}

/** Lanes of one kind with their sums. */
export class Summed {
  readonly order: ClassOrder;
  readonly classes: Classes;
  readonly #sums = new WeakMap<Lane, LaneSums>();

  constructor(classes: Classes, order: ClassOrder) {
    this.classes = classes;
    this.order = order;
  }

  of(lane: Lane): LaneSums {
    const known = this.#sums.get(lane);
    if (known !== undefined) return known;
    const made = new LaneSums(lane, this.classes);
    this.#sums.set(lane, made);
    return made;
  }

  /** Has `value` hold where a step of a lane begins at `at`. */
  replace(lane: Lane, at: number, value: number): void {
    const sums = this.#sums.get(lane);
    if (sums === undefined) lane.replace(at, value);
    else sums.replace(at, value);
  }
}

/** The lanes of a trace with their sums and names. */
export const loadBase = oncePerTrace(async (query: Query): Promise<Base> => {
  const lanes = await loadLanes(query);
  const names = await loadThreadNames(dataOf(query).tables);
  const threadsOf = new Map<number, number[]>();
  for (const utid of lanes.threads.keys()) {
    const upid = names.get(utid)?.upid ?? -1;
    const list = threadsOf.get(upid) ?? [];
    if (list.length === 0) threadsOf.set(upid, list);
    list.push(utid);
  }
  const ofThreads = new Summed(threadClasses(lanes.reasons), THREAD_ORDER);
  // Processes of one name have one colour: else those of a browser would take all.
  const ran = new Map<string, number>();
  for (const [upid, utids] of threadsOf) {
    if (upid === -1) continue;
    const name = processName(names, utids[0]);
    const ran_ns = utids.reduce((sum, utid) => sum + ranOf(lanes, ofThreads, utid), 0);
    ran.set(name, (ran.get(name) ?? 0) + ran_ns);
  }
  const processes = [...ran]
    .sort(([a, one], [b, other]) => other - one || a.localeCompare(b))
    .slice(0, COLORED_PROCESSES)
    .map(([name]) => name);
  const series = new Map(processes.map((name, place) => [name, place]));
  const utidCount = largest(lanes.threads.keys()) + 1;
  const classes = cpuClasses(
    utidCount,
    processes.length,
    (utid) => series.get(processName(names, utid)) ?? -1,
  );
  const ofCpus = new Summed(classes, cpuOrder(classes.count));
  const machine = await loadMachineTracks(query, lanes.cpus.length);
  const ofMachine = new Summed(MACHINE_VALUES, MACHINE_ORDER);
  const disks = await loadDiskOperations(query, names);
  return {
    lanes,
    names,
    threadsOf,
    cpuClasses: cpuClassList(processes),
    judged: null,
    shades: new Map(),
    lines: new Map(),
    ofThreads,
    ofCpus,
    machine,
    ofMachine,
    items: new Map(disks === null ? [] : [[disks.key, disks]]),
    samples: undefined,
  };
});

const RUNNING = 1;

function ranOf({ threads, start_ts, end_ts }: Lanes, summed: Summed, utid: number): number {
  const lane = threads.get(utid)?.lane;
  return lane === undefined ? 0 : (summed.of(lane).within(start_ts, end_ts)[RUNNING] ?? 0);
}

function largest(of: Iterable<number>): number {
  let most = 0;
  for (const each of of) most = Math.max(most, each);
  return most;
}

/** What the process of a thread is called. */
export function processName(names: ReadonlyMap<number, ThreadName>, utid: number | undefined): string {
  return (utid === undefined ? undefined : names.get(utid)?.process) ?? 'unknown process';
}

/** A process in words, by one of its threads: `svchost.exe Winmgmt`. */
export function processWords(names: ReadonlyMap<number, ThreadName>, utid: number | undefined): string {
  const name = utid === undefined ? undefined : names.get(utid);
  return programLabel({ process: name?.process ?? null, service: name?.services });
}
