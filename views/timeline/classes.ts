import {
  BLOCKED_KINDS,
  BLOCKED_LABELS,
  blockedKind,
  detailOf,
  stateOf,
  VALUE_COUNT,
  type Classes,
  type ThreadState,
} from '../../shared/timeline/index.ts';
import { WHY_LABELS, WHYS, type Why } from '../../shared/why-late/index.ts';

/** What a colour of a track stands for. Its number is its place in the list of its kind of track. */
export interface TrackClass {
  readonly state: ThreadState | 'idle' | 'machine';
  readonly label: string;
  /** Of a ready thread why it was late, if that was judged. */
  readonly why?: Why;
  /** Of a running process its place among those that ran longest; of what is the machine's the number of its hue. */
  readonly series?: number;
}

/** What threads do, as colours. */
export const THREAD_CLASSES: readonly TrackClass[] = [
  { state: 'nothing', label: 'not alive' },
  { state: 'running', label: 'running' },
  { state: 'ready', label: 'ready, cause not judged' },
  ...WHYS.map((why) => ({ state: 'ready' as const, why, label: `ready: ${WHY_LABELS[why]}` })),
  ...BLOCKED_KINDS.map((kind) => ({ state: 'blocked' as const, label: BLOCKED_LABELS[kind] })),
  { state: 'lost', label: 'not recorded' },
];

/** The class of ready threads whose cause was not judged. One for each cause comes after it. */
export const FIRST_READY = 2;
/** The first class of blocked threads; they are in the order of `BLOCKED_KINDS`. */
export const FIRST_BLOCKED = FIRST_READY + 1 + WHYS.length;

/** How a track's classes lie in its rows. */
export interface ClassOrder {
  /** From the bottom. */
  readonly order: readonly number[];
  /** Those that have a row wherever these were at all. */
  readonly kept: ReadonlySet<number>;
}

/** Threads stand on what ran; then what waits. */
export const THREAD_ORDER: ClassOrder = {
  order: THREAD_CLASSES.map((_, of) => of).filter((of) => of > 0),
  kept: new Set(THREAD_CLASSES.flatMap(({ state }, of) => (state === 'blocked' || of === 0 ? [] : [of]))),
};

/** The classes of the values of threads' lanes; `reasons` are those of the lanes. */
export function threadClasses(reasons: readonly (string | null)[]): Classes {
  const ofValue = Uint8Array.from({ length: VALUE_COUNT }, (_, value) => {
    const detail = detailOf(value);
    switch (stateOf(value)) {
      case 'nothing':
        return 0;
      case 'running':
        return 1;
      case 'ready':
        return FIRST_READY + Math.min(detail, WHYS.length);
      case 'blocked':
        return FIRST_BLOCKED + BLOCKED_KINDS.indexOf(blockedKind(reasons[detail] ?? null));
      case 'lost':
        return THREAD_CLASSES.length - 1;
    }
  });
  return { ofValue, count: THREAD_CLASSES.length };
}

/** How many processes have a colour of their own on CPUs. */
export const COLORED_PROCESSES = 8;
/** A CPU that is idle; processes follow, and last the class of all others. */
const IDLE = 1;

/** What CPUs run, as colours: the processes that ran longest by name, longest first. */
export function cpuClassList(processes: readonly string[]): TrackClass[] {
  return [
    { state: 'lost', label: 'not recorded' },
    { state: 'idle', label: 'idle' },
    ...processes.map((label, series) => ({ state: 'running' as const, label, series })),
    { state: 'running', label: 'other processes' },
  ];
}

/** What ran stands at the bottom, idle time at the top. */
export function cpuOrder(classCount: number): ClassOrder {
  const running = Array.from({ length: classCount - IDLE - 1 }, (_, of) => IDLE + 1 + of);
  return { order: [...running, IDLE], kept: new Set(running) };
}

/** The classes of the values of CPUs' lanes: `seriesOf` gives the place of a thread's process, -1 for any other. */
export function cpuClasses(
  utidCount: number,
  processCount: number,
  seriesOf: (utid: number) => number,
): Classes {
  const ofValue = new Uint8Array(utidCount + 1);
  ofValue[1] = IDLE;
  for (let utid = 1; utid < utidCount; utid++) {
    const series = seriesOf(utid);
    ofValue[utid + 1] = IDLE + 1 + (series === -1 ? processCount : series);
  }
  return { ofValue, count: IDLE + 2 + processCount };
}
