import type { KernelFlag, KindCount } from './model.ts';

/** A flag: which mask of the eight it is in, its bit there, and the events that it records. */
interface Known {
  readonly flag: string;
  readonly mask: number;
  readonly bit: number;
  readonly what: string;
  readonly provider: string;
  /** Some of that provider's events; all if it is left out. */
  readonly events?: readonly string[];
}

/** The group masks' bits, as ntwmi and the Windows SDK (`EVENT_TRACE_FLAG_…`) name them. */
const KNOWN: readonly Known[] = [
  { flag: 'PROC_THREAD', mask: 0, bit: 0x3, what: 'Processes and threads', provider: 'Process' },
  { flag: 'LOADER', mask: 0, bit: 0x4, what: 'Images in memory', provider: 'Image' },
  {
    flag: 'CSWITCH',
    mask: 1,
    bit: 0x4,
    what: 'Context switches',
    provider: 'Thread',
    events: ['CSwitch', 'CompactCSwitch'],
  },
  {
    flag: 'DISPATCHER',
    mask: 1,
    bit: 0x200,
    what: 'Ready threads',
    provider: 'Thread',
    events: ['ReadyThread'],
  },
  {
    flag: 'PROFILE',
    mask: 1,
    bit: 0x2,
    what: 'Profile samples',
    provider: 'PerfInfo',
    events: ['SampledProfile'],
  },
  {
    flag: 'DPC',
    mask: 1,
    bit: 0x80,
    what: 'Deferred procedure calls',
    provider: 'PerfInfo',
    events: ['DPC', 'ThreadedDPC', 'TimerDPC'],
  },
  {
    flag: 'INTERRUPT',
    mask: 1,
    bit: 0x4000,
    what: 'Interrupt service routines',
    provider: 'PerfInfo',
    events: ['ISR'],
  },
  { flag: 'DISK_IO', mask: 0, bit: 0x100, what: 'Disk I/O', provider: 'DiskIo' },
  {
    flag: 'FILE_IO',
    mask: 0,
    bit: 0x2000000,
    what: 'Ends of file I/O',
    provider: 'FileIo',
    events: ['OperationEnd'],
  },
  {
    flag: 'FILE_IO_INIT',
    mask: 0,
    bit: 0x4000000,
    what: 'Begins of file I/O',
    provider: 'FileIo',
    events: [
      ...['Create', 'CreateNew', 'Cleanup', 'Close', 'Flush', 'Read', 'Write', 'SetInfo', 'Delete', 'Rename'],
      ...['QueryInfo', 'FSControl', 'DirEnum', 'DirNotify', 'DeletePath', 'RenamePath', 'LinkPath'],
    ],
  },
  {
    flag: 'HARD_FAULTS',
    mask: 0,
    bit: 0x2000,
    what: 'Hard faults',
    provider: 'Memory',
    events: ['HardFault'],
  },
  { flag: 'NETWORKTRACE', mask: 0, bit: 0x10000, what: 'TCP and UDP', provider: 'TcpIp' },
  { flag: 'REGISTRY', mask: 0, bit: 0x20000, what: 'Registry', provider: 'Registry' },
];

/** Further bits, by mask: they are told of where they are on. Of those without a name here no public source is known. */
const OTHERS: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  0: {
    0x8: 'PROC_COUNTERS',
    0x200: 'FILENAME',
    0x400: 'DISK_IO_INIT',
    0x1000: 'ALL_FAULTS',
    0x4000: 'VIRT_ALLOC',
    0x8000: 'VAMAP',
    0x40000: 'DBGPRINT',
    0x80000: 'JOB',
    0x100000: 'ALPC',
    0x200000: 'SPLIT_IO',
    0x400000: 'DEBUG_EVENTS',
    0x800000: 'DRIVERS',
  },
  1: {
    0x1: 'MEMORY',
    0x8: 'FOOTPRINT',
    0x20: 'REFSET',
    0x40: 'POOL',
    0x100: 'COMPACT_CSWITCH',
    0x400: 'PMC_PROFILE',
    0x800: 'PROCESS_INSWAP',
    0x1000: 'AFFINITY',
    0x2000: 'PRIORITY',
    0x10000: 'SPINLOCK',
    0x20000: 'SYNC_OBJECTS',
    0x40000: 'DPC_QUEUE',
    0x80000: 'MEMINFO',
    0x100000: 'CONTMEM_GEN',
    0x400000: 'SESSION',
    0x800000: 'MEMINFO_WS',
    0x1000000: 'KERNEL_QUEUE',
    0x2000000: 'INTERRUPT_STEER',
    0x4000000: 'SHOULD_YIELD',
    0x8000000: 'WS',
  },
  2: {
    0x1: 'ANTI_STARVATION',
    0x2: 'PROCESS_FREEZE',
    0x40: 'SYSCALL',
    0x2000: 'DFSS',
    0x8000: 'PROCESSOR_IDLE',
    0x20000: 'TIMER',
    0x40000: 'CLOCK_INTERRUPT',
  },
  4: { 0x1: 'OPTICAL_IO', 0x2: 'OPTICAL_IO_INIT', 0x40: 'OB_HANDLE', 0x80: 'OB_OBJECT', 0x8000: 'POWER' },
};

/** The masks of a trace, lowest group first; null where it has none: no kernel session has no flag at all. */
function readMasks(masks: string | null): readonly number[] | null {
  const words = masks?.split(' ').map((word) => Number.parseInt(word, 16)) ?? [];
  return words.some((word) => word !== 0) ? words : null;
}

/** `1:0x4`: the mask in which a flag stands, and its bits there. */
function place(mask: number, bit: number): string {
  return `${mask}:0x${bit.toString(16)}`;
}

/** Bits that are on and none of the known flags, with their names as far as they are public. */
function otherFlags(masks: readonly number[]): readonly KernelFlag[] {
  return masks.flatMap((word, mask) => {
    const known = KNOWN.filter((flag) => flag.mask === mask).reduce((bits, { bit }) => bits | bit, 0);
    return Array.from({ length: 32 }, (_, index) => 2 ** index)
      .filter((bit) => (word & bit) !== 0 && (known & bit) === 0)
      .map((bit) => ({
        ...{ flag: OTHERS[mask]?.[bit] ?? '', what: null, on: true, events: null },
        place: place(mask, bit),
      }));
  });
}

/** Which kernel events were switched on, by the group masks as hexadecimal words, and how many there are. */
export function kernelFlags(masks: string | null, kinds: readonly KindCount[]): readonly KernelFlag[] {
  const words = readMasks(masks);
  const known = KNOWN.map(({ flag, mask, bit, what, provider, events }) => ({
    flag,
    what,
    on: words === null ? null : ((words[mask] ?? 0) & bit) !== 0,
    events: kinds
      .filter((kind) => kind.provider === provider && (events?.includes(kind.event) ?? true))
      .reduce((sum, { count }) => sum + count, 0),
    place: place(mask, bit),
  }));
  return [...known, ...otherFlags(words ?? [])];
}

/** The flags that were on in the form of xperf's `-on`, and how many bits have no name; null where the trace does not say. */
export function flagWords(flags: readonly KernelFlag[]): string | null {
  const on = flags.filter((flag) => flag.on === true);
  const named = on.filter(({ flag }) => flag !== '').map(({ flag }) => flag);
  const nameless = on.length - named.length;
  if (on.length === 0) return null;
  return [...named, ...(nameless > 0 ? [`${nameless} without a public name`] : [])].join(' + ');
}
