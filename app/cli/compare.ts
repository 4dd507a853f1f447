import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import {
  anchorKind,
  AnchorError,
  anchorText,
  BoundError,
  compareFindings,
  compareTraces,
  readAnchored,
  readBound,
  readTie,
  TieError,
  type Anchor,
  type Bound,
  type FoundIn,
  type Measured,
} from '../../shared/compare/index.ts';
import type { Query } from '../../shared/engine/index.ts';
import { NO_OWN_RULES, runAllRules } from '../../shared/findings/index.ts';
import { formatCount, formatTime } from '../../shared/model/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { Host, OpenTrace } from '../host/api.ts';
import { hostQuery } from '../host/host-query.ts';
import { anchorsOfTrace, measureTrace } from '../questions/measure-trace.ts';
import { choice, UsageError, type Command } from './command.ts';
import { compareJson } from './compare-json.ts';
import { compareJunit } from './compare-junit.ts';
import { compareMarkdown, compareText } from './compare-text.ts';
import { alignedTable } from './rows.ts';
import { startShared, summaryOf, withTrace, type Shared } from './session.ts';
import { print, printData, progressLine } from './terminal.ts';
import { readRange } from './time.ts';

const FORMATS = ['text', 'markdown', 'json', 'junit'] as const;
/** The exit code where a bound is broken for sure. */
const BROKEN = 4;

/** The traces of a side, and the range of each. */
interface Side {
  readonly paths: readonly string[];
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** `outrank compare`: what changed between two traces, or two groups of them. */
export const compare: Command = {
  name: 'compare',
  usage:
    'A… [--with] B… [--from AT] [--to AT] [--from-a AT] [--to-a AT] [--from-b AT] [--to-b AT] [--anchors] [--tie A=B] [--findings] [--fail-on BOUND] [--limit N] [--format text|markdown|json|junit]',
  summary: 'print what changed from one trace to another, or from some to others, and how sure that is',
  details: [
    'A B                  two traces, the one from before first',
    'A… --with B…         several of each: all that follow --with are the other side',
    '--from, --to         only this time of each trace: 30.3s, 500ms, 20us from the start, ns on the trace clock, or an anchor:',
    '                     key:3, process:app.exe#2, focus:app.exe, release:1, each also with a distance, such as key:3+500ms',
    '--from-a, --to-a     only this time of A; --from-b, --to-b: of B',
    '--anchors            print the anchors of each trace instead',
    '--tie A=B            the process A of the first side is B of the other, by image or by the name in the report; may be given',
    '                     several times',
    '--findings           of groups too say which findings are new or gone, which takes longer; of two traces it is always said',
    '--fail-on BOUND      exit with 4 if B is beyond it for sure, such as "ready.p99 > +20 %" or "cpu(app.exe) > +0.5 s"; may be',
    '                     given several times',
    '--limit N            how many rows of each list are printed (default: 20)',
    '--format F           text (default), markdown (for a report), json (docs/formats.md), junit (for CI: a test a bound)',
    'Exit codes: 4 a bound is broken for sure; else those of all commands. docs/compare.md says how things are matched.',
  ],
  async run(args) {
    const { values, positionals, tokens } = parseArgs({
      args,
      allowPositionals: true,
      tokens: true,
      options: {
        with: { type: 'boolean' },
        from: { type: 'string' },
        to: { type: 'string' },
        anchors: { type: 'boolean', default: false },
        'from-a': { type: 'string' },
        'to-a': { type: 'string' },
        'from-b': { type: 'string' },
        'to-b': { type: 'string' },
        tie: { type: 'string', multiple: true, default: [] },
        findings: { type: 'boolean', default: false },
        'fail-on': { type: 'string', multiple: true, default: [] },
        limit: { type: 'string', default: '20' },
        format: { type: 'string', default: 'text' },
      },
    });
    const format = choice('format', values.format, FORMATS);
    if (!/^[1-9]\d{0,8}$/.test(values.limit))
      throw new UsageError(`--limit takes a count, not "${values.limit}"`);
    const bounds = values['fail-on'].map(boundOf);
    if (format === 'junit' && bounds.length === 0)
      throw new UsageError('--format junit has a test for each bound: give --fail-on');
    const parting = tokens.find((token) => token.kind === 'option' && token.name === 'with');
    const after = tokens.filter(
      (token) => token.kind === 'positional' && token.index > (parting?.index ?? 0),
    );
    const countB = parting === undefined ? 1 : after.length;
    const paths = { a: positionals.slice(0, -countB || undefined), b: positionals.slice(-countB) };
    if (positionals.length < 2 || paths.a.length === 0 || countB === 0)
      throw new UsageError('two traces are compared: outrank compare A B, or A… --with B…');
    if (parting === undefined && positionals.length > 2)
      throw new UsageError('of more than two traces --with parts the sides: outrank compare A… --with B…');
    if (values.anchors) return printAnchors([...paths.a, ...paths.b], Number(values.limit));
    const { from, to } = values;
    const sideA = { paths: paths.a, from: values['from-a'] ?? from, to: values['to-a'] ?? to };
    const sideB = { paths: paths.b, from: values['from-b'] ?? from, to: values['to-b'] ?? to };
    const withFindings = values.findings || (paths.a.length === 1 && paths.b.length === 1);
    const [a, b] = await Promise.all([measure(sideA, withFindings), measure(sideB, withFindings)]);
    const limit = Number(values.limit);
    const ties = asUsage(() => values.tie.map((text) => readTie(text, a.traces, b.traces)));
    const comparison = {
      ...asUsage(() => compareTraces(a.traces, b.traces, { bounds, ties })),
      findings: withFindings ? compareFindings(a.found, b.found, ties) : null,
    };
    if (format === 'json') await printData([compareJson(comparison)]);
    else if (format === 'junit') await printData([compareJunit(comparison)]);
    else if (format === 'markdown') await print(compareMarkdown(comparison, limit, paths));
    else await print(compareText(comparison, limit, paths));
    if (comparison.bounds.some(({ result }) => result === 'broken')) return BROKEN;
    return Math.max(a.code, b.code);
  },
};

/** Reads a bound; throws a {@link UsageError}. */
function boundOf(text: string): Bound {
  return asUsage(() => readBound(text));
}

function asUsage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof AnchorError || error instanceof BoundError || error instanceof TieError)
      throw new UsageError(error.message);
    throw error;
  }
}

/** What is known of a side. */
interface MeasuredSide {
  readonly traces: readonly Measured[];
  /** What rules found in these; empty where they were not asked. */
  readonly found: readonly FoundIn[];
  readonly code: number;
}

/** Opens the traces of a side, one at a time, so that memory holds few, and measures each. */
async function measure(side: Side, withFindings: boolean): Promise<MeasuredSide> {
  const [traces, found] = [new Array<Measured>(), new Array<FoundIn>()];
  const shared = startShared();
  let code = 0;
  try {
    for (const path of side.paths) {
      const use = async (query: Query, whole: TimeRange): Promise<void> => {
        const range = await rangeOf(query, whole, side).catch((error: unknown) => {
          if (error instanceof AnchorError) throw new UsageError(`${path}: ${error.message}`);
          throw error;
        });
        const line = progressLine();
        const question = { name: basename(path), range };
        traces.push(await measureTrace(query, question, line.showTables).finally(line.clear));
        if (withFindings) found.push({ ...question, found: await runAllRules(query, NO_OWN_RULES, whole) });
      };
      code = Math.max(code, await withWindowsTrace(path, use, shared));
    }
  } finally {
    shared.models.end();
  }
  return { traces, found, code };
}

function withWindowsTrace(
  path: string,
  use: (query: Query, whole: TimeRange) => Promise<void>,
  shared?: Shared,
): Promise<number> {
  const opened = async (host: Host, trace: OpenTrace): Promise<void> => {
    await use(hostQuery(host, trace), summaryOf(trace, path, 'it cannot be compared').range);
  };
  return withTrace(path, opened, { columns: true, ...(shared && { shared }) });
}

/** The range of a trace whose ends may be told by its anchors. */
async function rangeOf(query: Query, whole: TimeRange, { from, to }: Side): Promise<TimeRange> {
  const kinds = [from, to].map((text) => (text === undefined ? null : anchorKind(text)));
  const anchors = kinds.every((kind) => kind === null)
    ? []
    : await anchorsOfTrace(query, { whole, with_releases: kinds.includes('release') });
  const time = (text: string | undefined) =>
    text === undefined || anchorKind(text) === null ? text : `${readAnchored(text, anchors)}`;
  const range = readRange(whole, time(from), time(to));
  return { start: Math.max(whole.start, range.start), end: Math.min(whole.end, range.end) };
}

/** Prints by what times of each trace can be told. */
async function printAnchors(paths: readonly string[], limit: number): Promise<number> {
  let code = 0;
  for (const path of paths) {
    const use = async (query: Query, whole: TimeRange): Promise<void> => {
      const anchors = await anchorsOfTrace(query, { whole, with_releases: true });
      await print([`${path}: ${anchorsTitle(anchors, limit)}\n`, ...anchorRows(anchors, whole, limit), '\n']);
    };
    code = Math.max(code, await withWindowsTrace(path, use));
  }
  return code;
}

function anchorsTitle(anchors: readonly Anchor[], limit: number): string {
  if (anchors.length === 0) return 'no anchors';
  return anchors.length <= limit ? 'anchors' : `the first of ${formatCount(anchors.length)} anchors`;
}

function anchorRows(anchors: readonly Anchor[], whole: TimeRange, limit: number): Iterable<string> {
  if (anchors.length === 0) return [];
  const rows = anchors
    .slice(0, limit)
    .map((anchor) => [anchorText(anchors, anchor), formatTime(anchor.ts, whole.start), anchor.name]);
  return alignedTable(['anchor', 'at', 'what'], rows, (column) => column === 1);
}
