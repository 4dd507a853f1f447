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
  { flag: 'CSWITCH', mask: 1, bit: 0x4, what: 'Context switches', provider: 'Thread', events: ['CSwitch'] },
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
  { flag: 'FILE_IO_INIT', mask: 0, bit: 0x4000000, what: 'File I/O', provider: 'FileIo' },
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

/** Which kernel events were switched on, by the group masks as hexadecimal words, and how many there are. */
export function kernelFlags(masks: string | null, kinds: readonly KindCount[]): readonly KernelFlag[] {
  const words = masks?.split(' ').map((word) => Number.parseInt(word, 16)) ?? [];
  // Masks that are all zero were not recorded: no kernel session has none of them.
  const isKnown = words.some((word) => word !== 0);
  return KNOWN.map(({ flag, mask, bit, what, provider, events }) => ({
    flag,
    what,
    on: isKnown ? ((words[mask] ?? 0) & bit) !== 0 : null,
    events: kinds
      .filter((kind) => kind.provider === provider && (events?.includes(kind.event) ?? true))
      .reduce((sum, { count }) => sum + count, 0),
  }));
}
