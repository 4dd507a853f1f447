import { parseArgs } from 'node:util';
import {
  ASSUMPTIONS,
  busyDrivers,
  whatIf as estimate,
  WORST_RANK,
  type Change,
  type WhatIf,
} from '../../shared/causes/index.ts';
import type { Query } from '../../shared/engine/index.ts';
import { didYouMean, fileName, formatCount, formatDuration, formatShare } from '../../shared/model/index.ts';
import { boundsOf, loadRecording, type RecordingNeeds } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, type ThreadName } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { Host, OpenTrace } from '../host/api.ts';
import { hostQuery } from '../host/host-query.ts';
import { choice, only, UsageError, type Command } from './command.ts';
import { versionedJson } from './json.ts';
import { summaryOf, withTrace } from './session.ts';
import { print, printData } from './terminal.ts';
import { readRange } from './time.ts';

/** What has to be recorded for a change of a driver. */
const DRIVER_NEEDS: RecordingNeeds = {
  needs: [{ signal: 'interrupts', without: 'drivers are not known', is_required: true }],
};
/** So many of the busiest drivers are named where another one was asked for. */
const MOST_DRIVERS = 5;

type Names = ReadonlyMap<number, ThreadName>;

interface Asked {
  readonly rank?: string | undefined;
  readonly priority?: string | undefined;
  readonly 'more-cpus'?: string | undefined;
  readonly without?: string | undefined;
  readonly 'half-driver'?: string | undefined;
}

/** `outrank what-if`: how long threads would have been ready with one change. */
export const whatIf: Command = {
  name: 'what-if',
  usage:
    'TRACE (--thread TID | --process NAME) (--rank N | --priority N | --more-cpus N | --without NAME | --half-driver NAME) [--from TIME] [--to TIME] [--format text|json]',
  summary:
    'estimate how long threads would have been ready with one change, by running the ready queues again',
  details: [
    '--thread TID         the thread that is asked for, by its id; --process NAME: all threads of a process, by its name',
    `--rank N             these threads have the rank N (0 to ${WORST_RANK}; lower ones go first)`,
    '--priority N         these threads have the priority N (1 to 31)',
    '--more-cpus N        the machine has N CPUs more',
    '--without NAME       the processes of this name are not there',
    '--half-driver NAME   the DPCs and interrupts of this driver, such as ndis.sys, take half as long',
    '--from, --to TIME    only this time: 30.3s, 500ms, 20us from the start, or ns on the trace clock',
    '--format F           text (default), json (docs/formats.md)',
    'docs/explain.md says what the estimate takes for granted.',
  ],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        thread: { type: 'string' },
        process: { type: 'string' },
        rank: { type: 'string' },
        priority: { type: 'string' },
        'more-cpus': { type: 'string' },
        without: { type: 'string' },
        'half-driver': { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        format: { type: 'string', default: 'text' },
      },
    });
    const path = only(positionals, 'TRACE');
    const format = choice('format', values.format, ['text', 'json']);
    const { thread, process } = values;
    if ((thread === undefined) === (process === undefined))
      throw new UsageError('either --thread or --process is taken');
    const show = async (host: Host, opened: OpenTrace): Promise<void> => {
      const query = hostQuery(host, opened);
      const trace = summaryOf(opened, path, 'nothing ran in it');
      const range = readRange(trace.range, values.from, values.to);
      const names = await loadThreadNames(dataOf(query).tables);
      const utids =
        process === undefined
          ? threadsOf(names, ({ tid }) => String(tid) === thread, `thread ${thread ?? ''}`)
          : processNamed(names, process);
      const change = readChange(values, utids, names);
      if (change.kind === 'driver') await requireDriver(query, range, change.driver);
      const found = await estimate(query, range, trace.cpuCount, change, utids);
      if (found.bursts === 0) throw new UsageError('none of these threads was switched in and blocked then');
      if (format === 'text') await print(asText(found));
      else await printData([versionedJson({ ...found, assumptions: ASSUMPTIONS })]);
    };
    return withTrace(path, show, { columns: true });
  },
};

/** Throws a {@link UsageError} where no DPC and no interrupt of a driver is in a range. */
async function requireDriver(query: Query, range: TimeRange, driver: string): Promise<void> {
  const { unrecorded } = await loadRecording(query, DRIVER_NEEDS, boundsOf(range));
  if (unrecorded !== null) throw new UsageError(unrecorded);
  const drivers = [...(await busyDrivers(query, range)).keys()];
  if (drivers.includes(fileName(driver).toLowerCase())) return;
  const busiest = drivers.slice(0, MOST_DRIVERS).join(', ');
  const known = busiest === '' ? 'no driver is known' : `the busiest are ${busiest}`;
  throw new UsageError(`there is no DPC or interrupt of ${driver}: ${didYouMean(driver, drivers)}${known}`);
}

function threadsOf(names: Names, isAsked: (name: ThreadName) => boolean, what: string): Set<number> {
  const utids = [...names].filter(([, name]) => isAsked(name)).map(([utid]) => utid);
  if (utids.length === 0) throw new UsageError(`the trace has no ${what}`);
  return new Set(utids);
}

function processNamed(names: Names, asked: string): Set<number> {
  const isNamed = ({ process }: ThreadName) => process?.toLowerCase() === asked.toLowerCase();
  const processes = [...new Set([...names.values()].flatMap(({ process }) => process ?? []))];
  const meant = didYouMean(asked, processes);
  return threadsOf(names, isNamed, `process ${asked} with threads${meant === '' ? '' : `: ${meant.trim()}`}`);
}

function readChange(asked: Asked, utids: ReadonlySet<number>, names: Names): Change {
  const { rank, priority, without, 'more-cpus': more, 'half-driver': driver } = asked;
  if ([rank, priority, more, without, driver].filter((each) => each !== undefined).length !== 1)
    throw new UsageError('one change is taken: --rank, --priority, --more-cpus, --without or --half-driver');
  if (driver !== undefined) return { kind: 'driver', driver, part: 0.5 };
  if (rank !== undefined) return { kind: 'rank', utids, rank: readNumber('rank', rank, 0, WORST_RANK) };
  if (priority !== undefined)
    return { kind: 'priority', utids, priority: readNumber('priority', priority, 1, 31) };
  if (more !== undefined) return { kind: 'cpus', more: readNumber('more-cpus', more, 1, 1024) };
  const gone = processNamed(names, without ?? '');
  if ([...utids].some((utid) => gone.has(utid)))
    throw new UsageError('--without takes another process than the one that is asked for');
  return { kind: 'gone', utids: gone };
}

function readNumber(option: string, text: string, least: number, most: number): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  if (!(number >= least && number <= most))
    throw new UsageError(`--${option} takes a number from ${least} to ${most}, not "${text}"`);
  return number;
}

function asText({ bursts, ran_ns, recorded_ns, replayed_ns, estimate_ns, error_ns }: WhatIf): string[] {
  const off = recorded_ns === 0 ? '' : ` (${formatShare(replayed_ns / recorded_ns)} of it)`;
  return [
    `The threads were ready for ${formatDuration(recorded_ns)} without running, in ${formatCount(bursts)} bursts of ${formatDuration(ran_ns)} CPU time.\n`,
    `With the change about ${formatDuration(estimate_ns)}, give or take ${formatDuration(error_ns)}.\n`,
    `The replay without the change gives ${formatDuration(replayed_ns)}${off}.\n\nIt takes for granted:\n`,
    ...ASSUMPTIONS.map((text) => `  ${text}\n`),
  ];
}
