import type { Finding } from '../../shared/findings/index.ts';

/** Traces for a rule of the findings. */
interface RuleCase {
  /** Arguments of `outrank-synth` for a trace in which what the rule looks for just is there. */
  readonly holds: readonly string[];
  /** The same for one in which it just is not. */
  readonly just_not: readonly string[];
  /** Names of functions decide: the scenario writes its PDBs too. */
  readonly needs_symbols?: boolean;
  /** All that the rule finds in the first; in the other it finds nothing. */
  readonly found: Finding;
}

/** A scenario that writes what the rule looks for at its bound exactly, and short of it by the least there is. */
const bound = (rule: string) => ({
  holds: ['bounds', '--rule', rule],
  just_not: ['bounds', '--rule', rule, '--just-not'],
});

/** By the rule's id. */
export const ruleCases: Readonly<Record<string, RuleCase | undefined>> = {
  'rank-starvation': {
    ...bound('rank-starvation'),
    found: {
      rule: 'rank-starvation',
      title: 'Rank starvation',
      seconds_lost: 0.1,
      where: {
        span: { start: 1020000000, end: 1120000000 },
        tid: 1004,
        thread: null,
        service: null,
        pid: 1000,
        process: 'browser.exe',
        services: null,
      },
      sentence:
        'browser.exe (tid 1004) was ready for 100 ms at rank 2 and priority 14, while threads of a better rank and a lower priority ran for at least 99.6 ms of CPU time.',
      proof: {
        view: 'ready-latency',
        params: { wait_ts: 1020000000, wait_tid: 1004 },
        range: { start: 1012000000, end: 1128000000 },
        selection: {
          span: { start: 1020000000, end: 1120000000 },
          thread: { tid: 1004, ts: 1020000000 },
          pid: 1000,
        },
      },
    },
  },
  'long-ready-wait': {
    ...bound('long-ready-wait'),
    found: {
      rule: 'long-ready-wait',
      title: 'Long ready wait',
      seconds_lost: 0.1,
      where: {
        span: { start: 1020000000, end: 1120000000 },
        tid: 1004,
        thread: null,
        service: null,
        pid: 1000,
        process: 'browser.exe',
        services: null,
      },
      sentence: 'browser.exe (tid 1004) was ready for 100 ms at priority 8 before it ran.',
      proof: {
        view: 'ready-latency',
        params: { wait_ts: 1020000000, wait_tid: 1004 },
        range: { start: 1012000000, end: 1128000000 },
        selection: {
          span: { start: 1020000000, end: 1120000000 },
          thread: { tid: 1004, ts: 1020000000 },
          pid: 1000,
        },
      },
    },
  },
  'release-moment': {
    ...bound('release-moment'),
    found: {
      rule: 'release-moment',
      title: 'Release moment',
      seconds_lost: 1.50011,
      where: {
        span: { start: 2510120000, end: 2510210000 },
        tid: 8004,
        thread: null,
        service: null,
        pid: 8000,
        process: 'svchost.exe',
        services: null,
      },
      sentence:
        'svchost.exe (tid 8004) set 10 threads of 7 processes free within 90.0 µs; the longest of them had been blocked for 1.500 s.',
      proof: {
        view: 'wake-chain',
        params: { direction: 'forward', ts: 2510120000, tid: 8004 },
        range: { start: 2509665000, end: 2510665000 },
        selection: {
          span: { start: 2510120000, end: 2510210000 },
          thread: { tid: 8004, ts: 2510120000 },
          pid: 8000,
        },
      },
    },
  },
  'freeze-in-focus': {
    ...bound('freeze-in-focus'),
    found: {
      rule: 'freeze-in-focus',
      title: 'Frozen while in focus',
      seconds_lost: 0.1,
      where: {
        span: { start: 1020000000, end: 1120000000 },
        tid: null,
        thread: null,
        service: null,
        pid: 3000,
        process: 'editor.exe',
        services: null,
      },
      sentence:
        'editor.exe (pid 3000) had the focus and was frozen for 100 ms of it, by svchost.exe (tid 8004).',
      proof: {
        view: 'frozen-processes',
        params: { process: 'editor.exe' },
        range: { start: 1012000000, end: 1121057600 },
        selection: { span: { start: 1020000000, end: 1120000000 }, thread: null, pid: 3000 },
      },
    },
  },
  'user-lock-contention': {
    holds: ['user-lock', '--held-ms', '120'],
    just_not: ['user-lock', '--held-ms', '119'],
    found: {
      rule: 'user-lock-contention',
      title: 'User lock contention',
      seconds_lost: 0.1,
      where: {
        span: { start: 1120000000, end: 1220001000 },
        tid: 1004,
        thread: null,
        service: null,
        pid: 1000,
        process: 'explorer.exe',
        services: null,
      },
      sentence:
        'explorer.exe (tid 1004) held the user lock while 1 thread waited 100 ms for it, 100 ms of it in the process in focus; the longest wait, of editor.exe (tid 2004), took 100 ms, in which the holder ran for 40.0 ms.',
      proof: {
        view: 'user-locks',
        params: {},
        range: { start: 1111999920, end: 1228001080 },
        selection: {
          span: { start: 1120000000, end: 1220001000 },
          thread: { tid: 1004, ts: 1120000000 },
          pid: 1000,
        },
      },
    },
  },
  'switch-storm': {
    holds: ['switch-storm', '--count', '120000', '--per-second', '102000'],
    just_not: ['switch-storm', '--count', '120000', '--per-second', '99500'],
    found: {
      rule: 'switch-storm',
      title: 'Context switch storm',
      seconds_lost: 1.1795937,
      where: {
        span: { start: 1000000000, end: 2179593700 },
        tid: 8004,
        thread: null,
        service: null,
        pid: 8000,
        process: 'svchost.exe',
        services: null,
      },
      sentence:
        'Up to 101,891 context switches a second, 119,991 within 1.180 s; svchost.exe (tid 8004) was switched in most, 20.0 % of the time.',
      proof: {
        view: 'context-switches',
        params: { by: 'thread' },
        range: { start: 1000000000, end: 2179593700 },
        selection: {
          span: { start: 1000000000, end: 2179593700 },
          thread: { tid: 8004, ts: 1000000000 },
          pid: 8000,
        },
      },
    },
  },
  'serialised-exits': {
    holds: ['exit-storm', '--locked', '11'],
    just_not: ['exit-storm', '--locked', '10'],
    found: {
      rule: 'serialised-exits',
      title: 'Serialised exits',
      seconds_lost: 0.0345514,
      where: {
        span: { start: 1500128600, end: 1534680000 },
        tid: 10044,
        thread: null,
        service: null,
        pid: 10040,
        process: 'test_child.exe',
        services: null,
      },
      sentence:
        '10 processes ended one at a time within 34.6 ms, 3.46 ms each: every one waited (WrResource) until the one before let it go. The last was test_child.exe (pid 10040).',
      proof: {
        view: 'processes',
        params: { ended: 'true' },
        range: { start: 1497364488, end: 1537444112 },
        selection: {
          span: { start: 1500128600, end: 1534680000 },
          thread: { tid: 10044, ts: 1500128600 },
          pid: 10040,
        },
      },
    },
  },
  'growing-cost': {
    holds: ['thread-growth', '--slope-ns', '54'],
    just_not: ['thread-growth', '--slope-ns', '52'],
    found: {
      rule: 'growing-cost',
      title: 'Cost that grows with the count',
      seconds_lost: 0.09445309437751004,
      where: {
        span: { start: 1010088000, end: 1197856000 },
        tid: null,
        thread: null,
        service: null,
        pid: 4000,
        process: 'server.exe',
        services: null,
      },
      sentence:
        '2,000 threads were made in server.exe (pid 4000): 46.7 µs each at first, 141 µs each at last.',
      proof: {
        view: 'threads',
        params: { what: 'threads', pid: 4000 },
        range: { start: 1000000000, end: 1201616000 },
        selection: { span: { start: 1010088000, end: 1197856000 }, thread: null, pid: 4000 },
      },
    },
  },
  'long-interrupt': {
    ...bound('long-interrupt'),
    found: {
      rule: 'long-interrupt',
      title: 'Long interrupt',
      seconds_lost: 0.001000001,
      where: {
        span: { start: 1011008000, end: 1012008001 },
        tid: null,
        thread: null,
        service: null,
        pid: null,
        process: null,
        services: null,
      },
      sentence: 'A DPC of slow.sys+0x10 held CPU 0 for 1.00 ms.',
      proof: {
        view: 'cpu-usage',
        params: { by: 'thread' },
        range: { start: 1010927999, end: 1012088002 },
        selection: { span: { start: 1011008000, end: 1012008001 }, thread: null, pid: null },
      },
    },
  },
  'hot-loop': {
    holds: ['hot-loop', '--loop-permille', '500'],
    just_not: ['hot-loop', '--loop-permille', '495'],
    found: {
      rule: 'hot-loop',
      title: 'Hot loop',
      seconds_lost: 7.549,
      where: {
        span: { start: 1003078400, end: 16000078400 },
        tid: null,
        thread: null,
        service: null,
        pid: 8000,
        process: 'svchost.exe',
        services: null,
      },
      sentence:
        '50.3 % of the samples of svchost.exe (pid 8000) are within 128 bytes of wbemcore.dll+0x3f280: 7,549 samples, 7.549 s of CPU time.',
      proof: {
        view: 'cpu-sampled',
        params: { process: 'svchost.exe', frames: 'address' },
        range: { start: 1000000000, end: 16041136000 },
        selection: { span: { start: 1003078400, end: 16000078400 }, thread: null, pid: 8000 },
      },
    },
  },
  'kernel-share': {
    ...bound('kernel-share'),
    found: {
      rule: 'kernel-share',
      title: 'Much time in the kernel',
      seconds_lost: 0.001,
      where: {
        span: { start: 1010008000, end: 1110008000 },
        tid: null,
        thread: null,
        service: null,
        pid: 1000,
        process: 'browser.exe',
        services: null,
      },
      sentence:
        '11.0 % of all CPU time was in the kernel, 11.0 ms; most of it in browser.exe (pid 1000), 11.0 ms.',
      proof: {
        view: 'cpu-sampled',
        params: { mode: 'kernel' },
        range: { start: 1002008000, end: 1111065600 },
        selection: { span: { start: 1010008000, end: 1110008000 }, thread: null, pid: 1000 },
      },
    },
  },
  'driver-stall': {
    ...bound('driver-stall'),
    needs_symbols: true,
    found: {
      rule: 'driver-stall',
      title: 'Driver that waits in a loop',
      seconds_lost: 0.001,
      where: {
        span: { start: 1011008000, end: 1011008000 },
        tid: null,
        thread: null,
        service: null,
        pid: null,
        process: null,
        services: null,
      },
      sentence: 'slow.sys let a CPU spin for 1.00 ms in KeStallExecutionProcessor, 1 sample.',
      proof: {
        view: 'cpu-sampled',
        params: { mode: 'kernel', search: 'StallExecutionProcessor' },
        range: { start: 1010508000, end: 1011508000 },
        selection: { span: { start: 1011008000, end: 1011008000 }, thread: null, pid: null },
      },
    },
  },
  'lost-events': {
    ...bound('lost-events'),
    found: {
      rule: 'lost-events',
      title: 'Lost events',
      seconds_lost: 0,
      where: {
        span: { start: 1000000003, end: 1011057603 },
        tid: null,
        thread: null,
        service: null,
        pid: null,
        process: null,
        services: null,
      },
      sentence: '1 × events dropped: 1 lost in all; how long nothing was recorded is not known.',
      proof: {
        view: 'system',
        params: {},
        range: { start: 1000000000, end: 1011057600 },
        selection: { span: { start: 1000000003, end: 1011057603 }, thread: null, pid: null },
      },
    },
  },
};
