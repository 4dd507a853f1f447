import * as z from 'zod';
import { toNumber } from '../../../shared/engine/index.ts';
import type { ToldFindings } from '../../../shared/findings/index.ts';
import { formatBytes, formatCount, formatDuration } from '../../../shared/model/index.ts';
import {
  hasEvents,
  notRecorded,
  readEventCounts,
  SIGNALS,
  type EventCount,
} from '../../../shared/recording/index.ts';
import { dataOf } from '../../../shared/tables/index.ts';
import { TooLargeError } from '../../host/api.ts';
import type { Answer, NextCall } from '../answer.ts';
import { COMMON, makeTraceTool } from '../tool.ts';
import type { AskedTrace } from '../traces.ts';
import aboutSql from './about.sql';
import {
  allFindings,
  FINDINGS_NOT_CONCLUDED,
  findAll,
  findingTable,
  nothingFound,
  proofCalls,
  unchecked,
} from './findings.ts';
import { waitTable } from './waits.ts';

/** How many findings and waits a first answer lists. */
const LISTED = 5;

const EXPLAIN_LONGEST: NextCall = {
  tool: 'explain',
  arguments: { handle: 'w-1' },
  why: 'where the time of the longest ready wait went',
};

/** What a trace is, what it can tell, and what is wrong in it. */
export const open = makeTraceTool({
  name: 'open',
  title: 'Open a trace',
  description:
    'Call this first. What the trace is, what was recorded and what was not (with how to record it), what was lost, the worst findings (f-1) and the longest ready waits (w-1) with handles that other tools take. With findings: all that rules find instead, which rules found nothing, and which could not be checked.',
  takes: {
    ...COMMON,
    findings: z.boolean().default(false).describe('true: all findings with their handles, and nothing else'),
  },
  answer: (trace, { findings }) => (findings ? allFindings(trace) : firstLook(trace)),
});

async function firstLook(trace: AskedTrace): Promise<Answer> {
  const { query } = trace;
  const kinds = await readEventCounts(dataOf(query).tables);
  const { found, left_out } = await findWorst(trace);
  const waits = await waitTable(query, LISTED);
  const hasWaits = waits.rows.length > 0;
  const next = [...proofCalls(found, 2), ...(hasWaits ? [EXPLAIN_LONGEST] : [])];
  const sentences = found.stories.slice(0, LISTED).map(({ sentence }) => sentence);
  return {
    says: [
      traceWords(trace),
      ...(sentences.length > 0 || left_out.length > 0 ? sentences : [nothingFound(found)]),
    ],
    tables: [findingTable(found), waits].filter(({ rows }) => rows.length > 0),
    left_out: hasWaits
      ? [...left_out, 'Shorter ready waits: explain without arguments lists more.']
      : left_out,
    evidence: await recordedWords(trace, kinds),
    not_concluded: FINDINGS_NOT_CONCLUDED,
    not_recorded: [
      ...notRecorded(kinds).map(({ what, record }) => `${what}: recorded by ${record}.`),
      // What events would give is said already.
      ...unchecked(found).filter((text) => text.includes('symbol files')),
    ],
    next: next.length > 0 ? next : showCalls(kinds),
    place: { view: 'overview' },
  };
}

/** What views show of recordings that have no context switches. */
const SHOWN: readonly (readonly [signal: string, view: string, why: string])[] = [
  ['samples', 'cpu-sampled', 'which code used the CPUs'],
  ['disk_io', 'io', 'what the disks did, and for whom'],
  ['processes', 'processes', 'which processes there were'],
  ['generic_events', 'generic-events', 'which other events were recorded'],
];

/** Where to go on if nothing is wrong by rules, and no thread was ready. */
function showCalls(kinds: readonly EventCount[]): NextCall[] {
  return SHOWN.filter(([signal]) =>
    SIGNALS.some((each) => each.id === signal && hasEvents(each, kinds) === true),
  ).map(([, view, why]) => ({ tool: 'view', arguments: { id: view }, why }));
}

/** The worst findings, and which were left out: all of them in a trace that the engine cannot hold. */
async function findWorst(
  trace: AskedTrace,
): Promise<{ readonly found: ToldFindings; readonly left_out: readonly string[] }> {
  try {
    const found = await findAll(trace);
    const more = found.findings.length - LISTED;
    const left_out =
      more > 0 ? [`${formatCount(more)} more findings: open with findings true lists them.`] : [];
    return { found: { ...found, findings: found.findings.slice(0, LISTED) }, left_out };
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    const found = { findings: [], stories: [], checked: [], not_checked: [], failed: [] };
    return { found, left_out: [`No rule was checked: ${error.message}`] };
  }
}

function traceWords({ opened, summary: { range, cpuCount } }: AskedTrace): string {
  const { start, end } = range;
  return `${opened.name}: ${formatDuration(end - start)}, ${cpuCount} CPU${cpuCount === 1 ? '' : 's'}, ${formatBytes(opened.sizeBytes)}. The trace clock runs from ${start} to ${end} ns.`;
}

/** What was recorded, and what of it was lost. */
async function recordedWords({ opened, query }: AskedTrace, kinds: readonly EventCount[]): Promise<string[]> {
  const [about = {}] = (await dataOf(query).outline(aboutSql)).rows();
  const held = SIGNALS.filter((signal) => hasEvents(signal, kinds) === true).map(({ name }) => name);
  const gaps = toNumber(about.gaps) ?? 0;
  return [
    `Windows build: ${toNumber(about.os_build) ?? 'not recorded'}. Recorded: ${held.join(', ') || 'none of what views show'}.`,
    ...opened.warnings.map((warning) => `Damage or loss: ${warning}`),
    gaps > 0
      ? `Gaps in which events were lost: ${formatCount(gaps)}.`
      : 'No gap is known in which events were lost.',
  ];
}
