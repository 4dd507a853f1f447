import { parseArgs } from 'node:util';
import { loadBlame, writeHandle, type Blame } from '../../shared/causes/index.ts';
import { formatCpuTime } from '../../shared/model/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, processLabel, threadLabel, type ThreadName } from '../../shared/threads/index.ts';
import { OpenError, type Host, type OpenTrace } from '../host/api.ts';
import { hostQuery } from '../host/host-query.ts';
import { choice, only, UsageError, type Command } from './command.ts';
import { alignedTable } from './rows.ts';
import { withTrace } from './session.ts';
import { print, printData } from './terminal.ts';
import { readRange } from './view.ts';

/** The version of the JSON. */
const VERSION = 1;

const SORTS = {
  active: ({ active_ns }: Sums) => active_ns,
  waits: waitsOf,
  cpu: ({ ran_ns }: Sums) => ran_ns,
} as const;

type Sums = Pick<Blame, 'active_ns' | 'blocked_ns' | 'ran_ns'>;

/** The sums of a thread or a process. */
interface Blamed extends Sums {
  readonly name: ThreadName | undefined;
  /** Null for a process. */
  readonly handle: string | null;
}

function waitsOf({ active_ns, blocked_ns }: Sums): number {
  return active_ns + blocked_ns;
}

/** `outrank blame`: who made others wait. */
export const blame: Command = {
  name: 'blame',
  usage:
    'TRACE [--by thread|process] [--sort active|waits|cpu] [--limit N] [--from TIME] [--to TIME] [--format text|json]',
  summary: 'print how long others waited for each thread or process, against the CPU time that it used',
  details: [
    '--by G               thread (default) or process',
    '--sort S             active (default): the time that others waited while it ran or was ready; waits: also while it',
    '                     was blocked itself; cpu: the CPU time that it used',
    '--limit N            how many are printed (default: 30)',
    '--from, --to TIME    only this time: 30.3s, 500ms, 20us from the start, or ns on the trace clock',
    '--format F           text (default), json (docs/formats.md)',
    'docs/explain.md says what counts.',
  ],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        by: { type: 'string', default: 'thread' },
        sort: { type: 'string', default: 'active' },
        limit: { type: 'string', default: '30' },
        from: { type: 'string' },
        to: { type: 'string' },
        format: { type: 'string', default: 'text' },
      },
    });
    const path = only(positionals, 'TRACE');
    const by = choice('by', values.by, ['thread', 'process']);
    const sort = SORTS[choice('sort', values.sort, ['active', 'waits', 'cpu'])];
    const format = choice('format', values.format, ['text', 'json']);
    if (!/^[1-9]\d{0,8}$/.test(values.limit))
      throw new UsageError(`--limit takes a count, not "${values.limit}"`);
    const show = async (host: Host, opened: OpenTrace): Promise<void> => {
      const query = hostQuery(host, opened);
      const trace = opened.summary;
      if (!trace)
        throw new OpenError('not_a_trace', `${path}: no Windows trace, so that no thread waits in it`);
      const range = readRange(trace.range, values.from, values.to);
      const names = await loadThreadNames(dataOf(query).outline);
      const blamed = blamedOf(await loadBlame(query, range), names, by).sort((a, b) => sort(b) - sort(a));
      const shown = blamed.slice(0, Number(values.limit));
      if (format === 'json') await printData([`${JSON.stringify(asJson(shown), null, 2)}\n`]);
      else await print(asText(shown, blamed.length, by));
    };
    return withTrace(path, show, { columns: true });
  },
};

function blamedOf(
  blames: readonly Blame[],
  names: ReadonlyMap<number, ThreadName>,
  by: 'thread' | 'process',
): Blamed[] {
  if (by === 'thread')
    return blames.map(({ utid, ...sums }) => ({
      ...sums,
      name: names.get(utid),
      handle: writeHandle({ kind: 'thread', number: utid }),
    }));
  const processes = new Map<number | null, Blamed>();
  for (const { utid, ...sums } of blames) {
    const name = names.get(utid);
    const upid = name?.upid ?? null;
    const before = processes.get(upid) ?? { name, handle: null, active_ns: 0, blocked_ns: 0, ran_ns: 0 };
    processes.set(upid, {
      ...before,
      active_ns: before.active_ns + sums.active_ns,
      blocked_ns: before.blocked_ns + sums.blocked_ns,
      ran_ns: before.ran_ns + sums.ran_ns,
    });
  }
  return [...processes.values()];
}

function asJson(blamed: readonly Blamed[]) {
  const rows = blamed.map(({ name, handle, ...sums }) => ({
    process: name?.process ?? null,
    pid: name?.pid ?? null,
    ...(handle === null ? {} : { tid: name?.tid ?? null, thread: name?.thread ?? null, handle }),
    ...sums,
  }));
  return { version: VERSION, rows };
}

function asText(shown: readonly Blamed[], all: number, by: 'thread' | 'process'): string[] {
  const cells = shown.map(({ name, handle, ...sums }) => [
    formatCpuTime(waitsOf(sums)),
    formatCpuTime(sums.active_ns),
    formatCpuTime(sums.blocked_ns),
    formatCpuTime(sums.ran_ns),
    handle === null ? processLabel(name) : `${threadLabel(name)}  ${handle}`,
  ]);
  const header = ['others waited', 'it ran or was ready', 'it was blocked', 'its CPU time', by];
  const rest = all > shown.length ? [`\n${all - shown.length} more are not listed.\n`] : [];
  return [...alignedTable(header, cells, (column) => column < 4), ...rest];
}
