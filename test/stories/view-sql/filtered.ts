import { NO_READY_EVENT, NOT_ENDED, WAKERS } from '../../../shared/causes/wakers.ts';
import type { Row } from '../../../shared/engine/index.ts';
import type { BlockedTimeModel } from '../../../views/blocked-time/load.ts';
import type { CpuSampledModel } from '../../../views/cpu-sampled/model.ts';
import type { CpuUsageModel } from '../../../views/cpu-usage/model.ts';
import type { EventsModel } from '../../../views/generic-events/model.ts';
import type { IoModel } from '../../../views/io/model.ts';
import type { ProcessesModel } from '../../../views/processes/model.ts';
import type { ReadyLatencyModel } from '../../../views/ready-latency/model.ts';
import type { ReleaseMomentsModel } from '../../../views/release-moments/model.ts';
import type { ThreadsModel } from '../../../views/threads/model.ts';

/** What a view and its SQL say about a trace with filters: the same. */
export interface Filtered {
  readonly view: string;
  readonly scenario: string;
  readonly filters: readonly Readonly<Record<string, unknown>>[];
  /** What the model tells. */
  readonly told: (model: never) => unknown;
  /** The same of the rows that SQL gives. */
  readonly ofRows: (rows: readonly Row[]) => unknown;
}

/** Rows of equal columns, whatever their order. */
const sorted = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.join(' ')).sort();
const sum = (rows: readonly object[], of: string) =>
  rows.reduce((all: number, row) => all + Number((row as Readonly<Record<string, unknown>>)[of]), 0);

/** The views whose rows can be compared. Traces are what `outrank-synth` writes. */
export const FILTERED: readonly Filtered[] = [
  {
    view: 'ready-latency',
    scenario: 'random --seed 3',
    filters: [
      { process: "C'D" },
      { process: '_f' },
      { thread: '236' },
      { at_least_ms: 0.5 },
      { cause: 'wake' },
      { cause: 'preempted' },
      { ranked_only: true },
      { rank: 0 },
      { priority: 8 },
      { wait_reason: 'quantum' },
      { process: 'A', cause: 'wake', wait_reason: 'user' },
      { limit: 3 },
    ],
    told: ({ waits }: ReadyLatencyModel) =>
      sorted(waits.map(({ ts, dur, tid, rank, priority }) => [ts, dur, tid, rank, priority])),
    ofRows: (rows) => sorted(rows.map(({ ts, dur, tid, rank, priority }) => [ts, dur, tid, rank, priority])),
  },
  {
    view: 'release-moments',
    scenario: 'wmi',
    filters: [
      { bucket_ms: 100, at_least_ms: 10 },
      { bucket_ms: 100, at_least_ms: 0.01 },
    ],
    told: ({ waits }: ReleaseMomentsModel) => waits,
    ofRows: (rows) => sum(rows, 'waits'),
  },
  {
    view: 'cpu-usage',
    scenario: 'random --seed 3',
    filters: [
      { priority_min: 9 },
      { priority_max: 8 },
      { priority_min: 8, priority_max: 8, rank: 0 },
      { rank: 1 },
    ],
    told: ({ totals }: CpuUsageModel) => totals.shown_ns,
    ofRows: (rows) => sum(rows, 'cpu_ns'),
  },
  {
    view: 'cpu-sampled',
    scenario: 'hot-loop',
    filters: [
      { process: 'BROWSER' },
      { tid: 1004 },
      { module: 'NTOS' },
      { module: '.EXE', mode: 'kernel' },
      { mode: 'user' },
      { mode: 'kernel' },
    ],
    told: ({ samples }: CpuSampledModel) => samples,
    ofRows: (rows) => sum(rows, 'samples'),
  },
  {
    view: 'generic-events',
    scenario: 'generic --count 300',
    filters: [
      { provider: 'Bench.Store' },
      { provider: 'Bench.Store', event: 'ItemRead' },
      { search: 'C:\\Data\\item00' },
      { search: 'bench.r' },
      { process: 'edit' },
      { thread: '1012' },
      { limit: 10 },
    ],
    told: ({ events }: EventsModel) =>
      sorted(events.map(({ ts, provider, event, tid }) => [ts, `${provider}/${event}`, tid])),
    ofRows: (rows) => sorted(rows.map(({ ts, kind, tid }) => [ts, kind, tid])),
  },
  {
    view: 'io',
    scenario: 'slow-disk --count 1000',
    filters: [
      { process: 'game' },
      { process: '1000' },
      { thread: '4012' },
      { path: 'FILE07' },
      { min_ms: 12.5 },
      { source: 'file', path: 'file07' },
      { limit: 7 },
    ],
    told: ({ ios }: IoModel) => sorted(ios.map(({ ts, dur, kind, tid, path }) => [ts, dur, kind, tid, path])),
    ofRows: (rows) => sorted(rows.map(({ ts, dur, kind, tid, path }) => [ts, dur, kind, tid, path])),
  },
  {
    view: 'blocked-time',
    scenario: 'wmi',
    filters: [{ process: 'OUTLOOK' }, { process: '19768' }, { thread: '13480' }, { work: 'counted' }],
    // SQL has the blocks that a wake ended.
    told: (model: BlockedTimeModel) => {
      const wakers = model.lists.find(({ title }) => title.endsWith('by waker'))?.rows ?? [];
      const ended = wakers.filter(({ key }) => key !== WAKERS[NO_READY_EVENT] && key !== WAKERS[NOT_ENDED]);
      return [sum(ended, 'count'), sum(ended, 'ns')];
    },
    ofRows: (rows) => [sum(rows, 'waits'), sum(rows, 'blocked_ns')],
  },
  {
    view: 'processes',
    scenario: 'exit-storm --locked 50',
    filters: [{ process: 'test-id 1' }, { process: '4' }, { ended: true }, { at_most_ms: 400 }],
    told: ({ processes }: ProcessesModel) =>
      sorted(processes.map(({ pid, create_ts, exit_ts }) => [pid, create_ts, exit_ts])),
    ofRows: (rows) => sorted(rows.map(({ pid, create_ts, exit_ts }) => [pid, create_ts, exit_ts])),
  },
  {
    view: 'threads',
    scenario: 'thread-growth --threads 50',
    filters: [{ process: 'SERVER' }, { process: '620' }],
    told: ({ processes }: ThreadsModel) =>
      sorted(processes.map(({ pid, created, ended }) => [pid, created, ended])),
    ofRows: (rows) => sorted(rows.map(({ pid, created, ended }) => [pid, created, ended])),
  },
];
