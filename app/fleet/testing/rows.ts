import { createHash } from 'node:crypto';
import { classBelow, classFrom, waitClass } from '../summary/wait-class.ts';
import type { LakeRow, LakeRows } from '../tables.ts';

/** A trace as it is put into a lake. */
export interface SampleTrace {
  readonly id: string;
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly rows: LakeRows;
  readonly full: ReadonlyMap<string, string>;
}

/** What of a sample is chosen; all else follows from `number`. */
export interface Sample {
  readonly number: number;
  readonly build?: string;
  /** The day on which it was recorded; null for none. */
  readonly date?: string | null;
  readonly machine?: string;
  /** The lengths of the ready waits of `app.exe`, in ns. */
  readonly waits_ns?: readonly number[];
  readonly chains?: readonly string[];
  readonly isLossy?: boolean;
}

/** A trace with a row or more in each table. */
export function sampleTrace({
  number,
  build = '1',
  date = '2026-01-01',
  machine = 'm1',
  waits_ns = [1000 * (number + 1), 5_000_000],
  chains = ['app.exe!UI < System < DPC'],
  isLossy = false,
}: Sample): SampleTrace {
  const id = createHash('sha256').update(String(number)).digest('hex');
  const name = `trace-${number}.etl`;
  const tags = { build };
  const rows: LakeRows = {
    trace: [traceRow(name, number, date, machine, isLossy)],
    tag: [{ name: 'build', value: build }],
    ready_wait: waits_ns.map((ns) => waitRow(ns)),
    run: [
      { process: 'app.exe', thread: 'UI', rank: 0, priority: 8, runs: 10 + number, cpu_ns: 1e9 + number },
    ],
    chain: chains.map((chain) => ({
      ...{ chain, steps: chain.split(' < ').length, wakes: 3, ready_ns: 3000 },
      ...{ longest_ns: 1500, longest_ts: 2e9, longest_tid: 7 },
    })),
    release: [
      {
        ...{ ts: 3e9, dur_ns: 1e6, waited_ns: 4e9, longest_ns: 1e9, threads: 12, processes: 2 },
        ...{ released_by: 'System', begun_by: 'System', tid: 4 },
      },
    ],
    hot_function: [
      {
        ...{
          process: 'app.exe',
          module: 'app.exe',
          function: null,
          offset: 256,
          pdb: 'app.pdb',
          pdb_id: 'AB1',
        },
        ...{ samples: 5, cpu_ns: 5e6 },
      },
    ],
    process: [
      {
        ...{ process: 'app.exe', pid: 70, parent: null, command: 'app.exe #', create_ts: 1e9, exit_ts: null },
        ...{ lifetime_ns: null, exit_code: null, processes: 1, longest_ns: null },
      },
    ],
    finding: [
      {
        ...{ rule: 'long-ready-wait', title: 'Long ready wait', sentence: 'It waited.', seconds_lost: 0.5 },
        ...{ ts: 2e9, dur_ns: 5e8, process: 'app.exe', pid: 70, thread: 'UI', tid: 7 },
        ...{ proof_view: 'ready-latency', proof_params: '{}' },
      },
    ],
    rule: [{ rule: 'long-ready-wait', state: 'checked', found: 1, needs: null }],
    loss: isLossy ? [{ kind: 'lost_events', gaps: 1, events: 9, dur_ns: 1e6, first_ts: 2e9 }] : [],
    recorded: [{ signal: 'switches', is_recorded: true }],
  };
  return { id, name, tags, rows, full: new Map() };
}

function traceRow(
  name: string,
  number: number,
  date: string | null,
  machine: string,
  is_lossy: boolean,
): LakeRow<'trace'> {
  return {
    name,
    start_utc_ns: date === null ? null : Date.parse(date) * 1e6,
    start_ts: 1e9,
    dur_ns: 6e10,
    source_bytes: 1000 + number,
    cpu_count: 8,
    cpu_mhz: 2600,
    memory_mb: 16384,
    os_build: 19045,
    os_version: '10.0',
    machine_key: machine,
    machine_model: '8 CPUs, 2600 MHz, 16384 MB',
    redacted: null,
    events_read: 100,
    events_lost: is_lossy ? 9 : 0,
    buffers_lost: 0,
    is_lossy,
    has_switches: true,
    has_ready: true,
    chains_left_out: 0,
    functions_left_out: 0,
    schema_version: 1,
    outrank_version: '0.1.0',
  };
}

function waitRow(ns: number): LakeRow<'ready_wait'> {
  const of = waitClass(ns);
  return {
    ...{ process: 'app.exe', thread: 'UI', cause: 'priority', ended: true, class: of },
    ...{ from_ns: classFrom(of), below_ns: classBelow(of), waits: 1, ready_ns: ns },
    ...{ longest_ns: ns, longest_ts: 2e9, longest_tid: 7 },
  };
}
