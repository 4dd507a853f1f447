import type { KindCount, NotRecorded } from './model.ts';

/** Something that a trace can tell, by the events that tell it, and what records these. */
interface Wanted extends NotRecorded {
  readonly has: (kind: KindCount) => boolean;
  /** Events that tell the rest of it: without them nothing is said. */
  readonly beside?: (kind: KindCount) => boolean;
}

const of =
  (provider: string, ...events: readonly string[]) =>
  (kind: KindCount) =>
    kind.provider === provider && (events.length === 0 || events.includes(kind.event));

const WANTED: readonly Wanted[] = [
  {
    has: of('Thread', 'CSwitch', 'CompactCSwitch'),
    what: 'Context switches: what ran when, on which CPU, at which rank',
    record: 'kernel flag CSWITCH (WPR: CPU)',
  },
  {
    has: of('Thread', 'CSwitch'),
    beside: of('Thread', 'CompactCSwitch'),
    what: 'Why threads stopped running: their states, wait reasons and ranks',
    record: 'kernel flag CSWITCH without COMPACT_CSWITCH',
  },
  {
    has: of('Thread', 'ReadyThread'),
    what: 'Ready threads: since when each could run, and who readied it',
    record: 'kernel flag DISPATCHER (WPR: keyword ReadyThread)',
  },
  {
    has: of('PerfInfo', 'SampledProfile'),
    what: 'Profile samples: which code ran',
    record: 'kernel flag PROFILE (WPR: CPU)',
  },
  {
    has: ({ provider }) => provider === 'StackWalk',
    what: 'Stacks: by which calls',
    record: 'xperf -stackwalk Profile+CSwitch+ReadyThread (WPR: CPU)',
  },
  {
    has: of('PerfInfo', 'DPC', 'ThreadedDPC', 'TimerDPC', 'ISR'),
    what: 'DPCs and interrupts: what took a CPU from its thread',
    record: 'kernel flags DPC and INTERRUPT (WPR: CPU)',
  },
  {
    has: ({ provider }) => provider === 'DiskIo',
    what: 'Disk I/O: what the disks did, and for whom',
    record: 'kernel flags DISK_IO and DISK_IO_INIT (WPR: DiskIO)',
  },
  {
    has: of('FileIo', 'Create', 'Read', 'Write', 'Close', 'OperationEnd'),
    what: 'File I/O: which files were used, and what that took',
    record: 'kernel flags FILE_IO and FILE_IO_INIT (WPR: FileIO)',
  },
  {
    has: of('Memory', 'HardFault'),
    what: 'Hard faults: waits for memory that was on disk (or there were none)',
    record: 'kernel flag HARD_FAULTS (WPR: GeneralProfile)',
  },
  {
    has: of('SysConfig', 'Services'),
    what: 'Services, and which process hosts each',
    record: 'any kernel session that was stopped in good order (WPR, xperf)',
  },
  {
    has: ({ provider }) => provider === 'Microsoft-Windows-Win32k',
    what: 'Focus, and who held the lock of the window system',
    record: 'provider Microsoft-Windows-Win32k, keywords 0x2000+0x10000000',
  },
  {
    has: ({ provider }) => provider === 'Multi-Input',
    what: 'Input: keys and mouse buttons',
    record: 'UIforETW, input tracing on',
  },
  {
    has: of('Microsoft-Windows-Kernel-Process', 'ProcessFreeze', 'ProcessFreeze/Start', 'ProcessFreeze/Stop'),
    what: 'Freezes: processes that Windows lets not run (or there were none)',
    record: 'provider Microsoft-Windows-Kernel-Process, keyword 0x200',
  },
];

/** What the trace does not tell, and what would record it. */
export function notRecorded(kinds: readonly KindCount[]): readonly NotRecorded[] {
  return WANTED.filter(
    ({ has, beside }) => !kinds.some(has) && (beside === undefined || kinds.some(beside)),
  ).map(({ what, record }) => ({ what, record }));
}
