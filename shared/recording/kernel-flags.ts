/** A kind of events in the file, as `etw_event_count` and `outrank info` name them. */
export interface EventPattern {
  readonly provider: string;
  /** Some of the provider's events, each with its opcodes; all of them if absent. */
  readonly events?: readonly string[];
}

/** A group of kernel events that a recording can switch on. */
export interface KernelFlag {
  /** The name that xperf's `-on` takes. */
  readonly flag: string;
  /** Which of the eight group masks holds it. */
  readonly mask: number;
  /** Its bit in that mask. */
  readonly bit: number;
  /** The keyword of a WPR profile that switches it on; absent where public documentation names none. */
  readonly wpr_keyword?: string;
  /** What it records, and by which events; absent where Outrank has no view of it. */
  readonly records?: { readonly what: string; readonly events: EventPattern };
}

const of = (provider: string, ...events: readonly string[]): EventPattern =>
  events.length === 0 ? { provider } : { provider, events };

/**
 * The flags that Outrank knows. Masks and bits: `PERF_…` in ntwmi, `EVENT_TRACE_FLAG_…` in the Windows SDK. Keywords of WPR:
 * `SystemKeywordEnumeration` of WPRControlProfiles.xsd, and profiles that Microsoft publishes.
 */
export const KERNEL_FLAGS = [
  {
    ...{ flag: 'PROC_THREAD', mask: 0, bit: 0x3, wpr_keyword: 'ProcessThread' },
    records: { what: 'Processes and threads', events: of('Process') },
  },
  {
    ...{ flag: 'LOADER', mask: 0, bit: 0x4, wpr_keyword: 'Loader' },
    records: { what: 'Images in memory', events: of('Image') },
  },
  {
    ...{ flag: 'CSWITCH', mask: 1, bit: 0x4, wpr_keyword: 'CSwitch' },
    records: { what: 'Context switches', events: of('Thread', 'CSwitch', 'CompactCSwitch') },
  },
  {
    ...{ flag: 'DISPATCHER', mask: 1, bit: 0x200, wpr_keyword: 'ReadyThread' },
    records: { what: 'Ready threads', events: of('Thread', 'ReadyThread') },
  },
  {
    ...{ flag: 'PROFILE', mask: 1, bit: 0x2, wpr_keyword: 'SampledProfile' },
    records: { what: 'Profile samples', events: of('PerfInfo', 'SampledProfile') },
  },
  {
    ...{ flag: 'DPC', mask: 1, bit: 0x80, wpr_keyword: 'DPC' },
    records: { what: 'Deferred procedure calls', events: of('PerfInfo', 'DPC', 'ThreadedDPC', 'TimerDPC') },
  },
  {
    ...{ flag: 'INTERRUPT', mask: 1, bit: 0x4000, wpr_keyword: 'Interrupt' },
    records: { what: 'Interrupt service routines', events: of('PerfInfo', 'ISR') },
  },
  {
    ...{ flag: 'DISK_IO', mask: 0, bit: 0x100, wpr_keyword: 'DiskIO' },
    records: { what: 'Disk I/O', events: of('DiskIo') },
  },
  {
    ...{ flag: 'FILE_IO', mask: 0, bit: 0x2000000, wpr_keyword: 'FileIO' },
    records: { what: 'Ends of file I/O', events: of('FileIo', 'OperationEnd') },
  },
  {
    ...{ flag: 'FILE_IO_INIT', mask: 0, bit: 0x4000000, wpr_keyword: 'FileIOInit' },
    records: {
      what: 'Begins of file I/O',
      events: of(
        ...([
          'FileIo',
          'Create',
          'CreateNew',
          'Cleanup',
          'Close',
          'Flush',
          'Read',
          'Write',
          'SetInfo',
        ] as const),
        ...['Delete', 'Rename', 'QueryInfo', 'FSControl', 'DirEnum', 'DirNotify', 'DeletePath', 'RenamePath'],
        ...['LinkPath'],
      ),
    },
  },
  {
    ...{ flag: 'HARD_FAULTS', mask: 0, bit: 0x2000, wpr_keyword: 'HardFaults' },
    records: { what: 'Hard faults', events: of('Memory', 'HardFault') },
  },
  {
    ...{ flag: 'NETWORKTRACE', mask: 0, bit: 0x10000, wpr_keyword: 'NetworkTrace' },
    records: { what: 'TCP and UDP', events: of('TcpIp') },
  },
  {
    ...{ flag: 'REGISTRY', mask: 0, bit: 0x20000, wpr_keyword: 'Registry' },
    records: { what: 'Registry', events: of('Registry') },
  },
  { flag: 'PROC_COUNTERS', mask: 0, bit: 0x8 },
  { flag: 'FILENAME', mask: 0, bit: 0x200, wpr_keyword: 'Filename' },
  { flag: 'DISK_IO_INIT', mask: 0, bit: 0x400, wpr_keyword: 'DiskIOInit' },
  { flag: 'ALL_FAULTS', mask: 0, bit: 0x1000 },
  { flag: 'VIRT_ALLOC', mask: 0, bit: 0x4000 },
  { flag: 'VAMAP', mask: 0, bit: 0x8000 },
  { flag: 'DBGPRINT', mask: 0, bit: 0x40000 },
  { flag: 'JOB', mask: 0, bit: 0x80000 },
  { flag: 'ALPC', mask: 0, bit: 0x100000 },
  { flag: 'SPLIT_IO', mask: 0, bit: 0x200000 },
  { flag: 'DEBUG_EVENTS', mask: 0, bit: 0x400000 },
  { flag: 'DRIVERS', mask: 0, bit: 0x800000 },
  { flag: 'MEMORY', mask: 1, bit: 0x1 },
  { flag: 'FOOTPRINT', mask: 1, bit: 0x8 },
  { flag: 'REFSET', mask: 1, bit: 0x20 },
  { flag: 'POOL', mask: 1, bit: 0x40 },
  { flag: 'COMPACT_CSWITCH', mask: 1, bit: 0x100, wpr_keyword: 'CompactCSwitch' },
  { flag: 'PMC_PROFILE', mask: 1, bit: 0x400 },
  { flag: 'PROCESS_INSWAP', mask: 1, bit: 0x800 },
  { flag: 'AFFINITY', mask: 1, bit: 0x1000 },
  { flag: 'PRIORITY', mask: 1, bit: 0x2000, wpr_keyword: 'ThreadPriority' },
  { flag: 'SPINLOCK', mask: 1, bit: 0x10000 },
  { flag: 'SYNC_OBJECTS', mask: 1, bit: 0x20000 },
  { flag: 'DPC_QUEUE', mask: 1, bit: 0x40000 },
  { flag: 'MEMINFO', mask: 1, bit: 0x80000 },
  { flag: 'CONTMEM_GEN', mask: 1, bit: 0x100000 },
  { flag: 'SESSION', mask: 1, bit: 0x400000 },
  { flag: 'MEMINFO_WS', mask: 1, bit: 0x800000 },
  { flag: 'KERNEL_QUEUE', mask: 1, bit: 0x1000000 },
  { flag: 'INTERRUPT_STEER', mask: 1, bit: 0x2000000 },
  { flag: 'SHOULD_YIELD', mask: 1, bit: 0x4000000 },
  { flag: 'WS', mask: 1, bit: 0x8000000 },
  { flag: 'ANTI_STARVATION', mask: 2, bit: 0x1 },
  { flag: 'PROCESS_FREEZE', mask: 2, bit: 0x2 },
  { flag: 'SYSCALL', mask: 2, bit: 0x40 },
  { flag: 'DFSS', mask: 2, bit: 0x2000 },
  { flag: 'PROCESSOR_IDLE', mask: 2, bit: 0x8000 },
  { flag: 'TIMER', mask: 2, bit: 0x20000 },
  { flag: 'CLOCK_INTERRUPT', mask: 2, bit: 0x40000 },
  { flag: 'OPTICAL_IO', mask: 4, bit: 0x1 },
  { flag: 'OPTICAL_IO_INIT', mask: 4, bit: 0x2 },
  { flag: 'OB_HANDLE', mask: 4, bit: 0x40, wpr_keyword: 'Handle' },
  { flag: 'OB_OBJECT', mask: 4, bit: 0x80 },
  { flag: 'POWER', mask: 4, bit: 0x8000, wpr_keyword: 'Power' },
] as const satisfies readonly KernelFlag[];

/** The name of a kernel flag. */
export type KernelFlagName = (typeof KERNEL_FLAGS)[number]['flag'];
