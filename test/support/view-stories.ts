/** How one view answers: it is opened, filtered, and a row of it is chosen. */
export interface ViewStory {
  readonly view: string;
  /** A filter by its label, what is typed into it, and what then stands in the address. */
  readonly filter: { readonly label: string; readonly keys: string; readonly param: string };
  readonly table: string;
  /** The first cells of the table's first row once the filter is set. */
  readonly row: readonly string[];
  /** What Enter on that row writes into the address, without the instants; null where rows cannot be chosen. */
  readonly chosen: readonly string[] | null;
}

/** A scenario of `outrank-synth` and the views that it is for. */
export interface TraceStories {
  readonly scenario: readonly [name: string, ...options: string[]];
  readonly views: readonly ViewStory[];
}

/** A story for each view that has filters. */
export const viewStories: readonly TraceStories[] = [
  {
    scenario: ['lock-screen'],
    views: [
      {
        view: 'Ready latency',
        filter: { label: 'Process', keys: 'lockapp', param: 'p.process=lockapp' },
        table: 'Longest ready waits',
        row: ['LockApp.exe', '10704', '19.493 s', 'rank'],
        chosen: ['thread=10704@', 'span=', 'pid=10444'],
      },
      {
        view: 'What if',
        filter: { label: 'Thread', keys: '10704', param: 'p.thread=10704' },
        table: 'What would have helped',
        row: ['rank 0', '0 ns'],
        chosen: null,
      },
      {
        view: 'Rank history',
        filter: { label: 'Process', keys: 'lockapp', param: 'p.process=lockapp' },
        table: 'Changes of rank',
        row: ['6.900602 s', 'LockApp.exe', '10704', 'Lock screen UI', '0', '2', '42.926 s', '19.493 s'],
        chosen: ['thread=10704@', 'span=', 'pid=10444'],
      },
      {
        view: 'CPU usage',
        filter: { label: 'Priority from', keys: '13', param: 'p.priority_min=13' },
        table: 'CPU time by process',
        row: ['LogonUI.exe', '6772', '648 ms'],
        chosen: null,
      },
      {
        view: 'System',
        filter: { label: 'Stopped services', keys: ' ', param: 'p.stopped=true' },
        table: 'Services',
        row: ['AudioSrv', '3864', 'svchost.exe', 'Running', 'Windows Audio'],
        chosen: null,
      },
    ],
  },
  {
    scenario: ['wmi'],
    views: [
      {
        view: 'Blame',
        filter: { label: 'Rows', keys: '5', param: 'p.limit=5' },
        table: 'Threads for which others waited',
        row: ['svchost.exe Winmgmt (tid 36108)', '2,296 s', '2,296 s', '0 ns', '41.571 s'],
        chosen: ['thread=36108@', 'pid='],
      },
      {
        view: 'Release moments',
        filter: { label: 'At least', keys: '100', param: 'p.at_least_ms=100' },
        table: 'Release moments',
        row: ['43.685758 s', '≥', '2,780 s', '43.687 s', '91', '47'],
        chosen: ['view=wake-chain', 'p.direction=forward', 'thread=35540@'],
      },
      {
        view: 'Wake chain',
        filter: { label: 'Past DPCs', keys: '10', param: 'p.past_dpc_ms=10' },
        table: 'Who woke it',
        row: ['svchost.exe EventLog (tid 35540)'],
        chosen: ['thread='],
      },
    ],
  },
  {
    scenario: ['attention'],
    views: [
      {
        view: 'Focus and input',
        filter: { label: 'Mouse moves', keys: ' ', param: 'p.moves=true' },
        table: 'Focus and input',
        row: ['0.000000 s', 'had the focus before the trace', 'editor.exe (pid 2000)', '30.0 ms'],
        chosen: ['span=', 'pid=2000'],
      },
      {
        view: 'Frozen processes',
        filter: { label: 'Process', keys: 'browser', param: 'p.process=browser' },
        table: 'Freezes',
        row: ['–', '0.010000 s', '10.0 ms', 'before the trace to thaw', 'browser.exe', '3000'],
        chosen: ['span=', 'range=', 'pid=3000'],
      },
    ],
  },
  {
    scenario: ['hot-loop'],
    views: [
      {
        view: 'CPU usage, sampled',
        filter: { label: 'Process', keys: 'svchost', param: 'p.process=svchost' },
        table: 'Functions',
        row: ['wbemcore.dll+0x3f2a4', '4,491', '29.9 %', '4,491', '29.9 %', '4.491 s', 'wbemcore.dll'],
        chosen: ['p.function=wbemcore.dll+0x3f2a4'],
      },
      {
        view: 'Runaway threads',
        filter: { label: 'Process', keys: 'browser', param: 'p.process=browser' },
        table: 'CPU time since the trace’s start',
        row: ['browser.exe (tid 1004)', '1.10 ms', '68', '72.1 %', '27.9 %'],
        chosen: ['view=cpu-sampled', 'p.tid=1004'],
      },
    ],
  },
  {
    scenario: ['exit-storm', '--locked', '200'],
    views: [
      {
        view: 'Processes',
        filter: { label: 'Process', keys: 'test_child', param: 'p.process=test_child' },
        table: 'Exits',
        row: ['test_child.exe (pid 11592)', '0.503583 s', '372 ms', '372 ms', '370 ms', 'WrResource'],
        chosen: ['span=', 'range=', 'thread=11596@', 'pid=11592'],
      },
      {
        view: 'Episodes',
        filter: { label: 'Slow from', keys: '500', param: 'p.slow_from_ms=500' },
        table: 'Episodes by kind',
        row: ['process created to its exit', '1,000', '259 ms', '677 ms'],
        chosen: ['p.kind=process_life'],
      },
    ],
  },
  {
    scenario: ['thread-growth'],
    views: [
      {
        view: 'Threads and growth',
        filter: { label: 'Process', keys: 'server', param: 'p.process=server' },
        table: 'Threads by process',
        row: ['server.exe (pid 4000)', '2,001', '1', '2,001', '2,000', '0'],
        chosen: ['p.what=threads', 'p.pid=4000', '&pid=4000'],
      },
    ],
  },
  {
    scenario: ['switch-storm', '--count', '100000'],
    views: [
      {
        view: 'Context switches',
        filter: { label: 'Process', keys: 'svchost', param: 'p.process=svchost' },
        table: 'Context switches by process',
        row: ['svchost.exe', '8000', '39,920'],
        chosen: ['p.by=thread', 'p.process=svchost.exe'],
      },
    ],
  },
  {
    scenario: ['io', '--count', '5000'],
    views: [
      {
        view: 'Disk and file I/O',
        filter: { label: 'Process', keys: 'editor', param: 'p.process=editor' },
        table: 'Longest I/O',
        row: ['0.000683 s', '200 µs', 'read', '4.1 kB', 'file02.bin', 'editor.exe', '3000', '3004'],
        chosen: ['span=', 'thread=3004@', 'pid=3000'],
      },
    ],
  },
  {
    scenario: ['slow-disk', '--count', '400', '--cpus', '4'],
    views: [
      {
        view: 'Disk and file I/O',
        filter: { label: 'Process', keys: 'editor', param: 'p.process=editor' },
        table: 'Longest I/O',
        row: ['0.839580 s', '49.4 ms', '49.4 ms', '–', 'read', '65.5 kB', 'file05.bin', 'editor.exe', '3004'],
        chosen: ['span=', 'thread=3004@', 'pid=3000'],
      },
    ],
  },
  {
    scenario: ['generic', '--count', '5000'],
    views: [
      {
        view: 'Generic events',
        filter: { label: 'Search', keys: 'item000014', param: 'p.search=item000014' },
        table: 'Events',
        row: ['0.000070 s', 'Bench.Store', 'ItemRead'],
        chosen: ['span=', 'thread=4016@', 'pid=4000'],
      },
    ],
  },
];
