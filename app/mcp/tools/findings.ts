import { writeHandle } from '../../../shared/causes/index.ts';
import {
  NO_OWN_RULES,
  runAllRules,
  type Finding,
  type Findings,
  type ToldFindings,
} from '../../../shared/findings/index.ts';
import type { ViewTable } from '../../../shared/view/index.ts';
import type { Answer, NextCall } from '../answer.ts';
import { tableOf } from '../table.ts';
import type { AskedTrace } from '../traces.ts';

/** What the rules that come with Outrank find; handles count these alone. */
export function findAll({ query, summary }: AskedTrace): Promise<ToldFindings> {
  return runAllRules(query, NO_OWN_RULES, summary.range);
}

/** Findings with their handles. */
export function findingTable({ findings }: Findings): ViewTable {
  const columns = {
    handle: 'text',
    title: 'text',
    seconds_lost: 'number',
    tid: 'number',
    pid: 'number',
    from_ns: 'time_ns',
    to_ns: 'time_ns',
    sentence: 'text',
  } as const;
  const rows = findings.map(({ title, seconds_lost, where, sentence }, at) => [
    ...[writeHandle({ kind: 'finding', number: at + 1 }), title, seconds_lost],
    ...[where.tid, where.pid, where.span.start, where.span.end, sentence],
  ]);
  return tableOf('Findings, by the seconds that they cost', columns, rows);
}

/** What shows that the first findings are true, and what leads to their causes. */
export function proofCalls({ findings, stories }: ToldFindings, most: number): NextCall[] {
  const places = stories.flatMap(({ finding, explains }) => [finding, ...explains]);
  return places.slice(0, most).flatMap((at) => {
    const finding = findings[at];
    if (finding === undefined) return [];
    const { proof, title } = finding;
    const handle = writeHandle({ kind: 'finding', number: at + 1 });
    const why = `the proof of "${title}", in the view ${proof.view}`;
    return [{ tool: 'view', arguments: { handle }, why }, ...causeCalls(finding, handle)];
  });
}

/** What leads to the cause of a finding: of one that stands at a wake the chain before it, of a delay where its time went. */
export function causeCalls({ proof, title, where }: Finding, handle: string): NextCall[] {
  const { tid, span } = where;
  if (tid === null || span.end <= span.start) return [];
  return proof.view === 'wake-chain'
    ? [{ tool: 'chain', arguments: { handle }, why: `who made the thread of "${title}" run` }]
    : [{ tool: 'explain', arguments: { handle }, why: `where the time of the thread of "${title}" went` }];
}

/** What to say where nothing was found: rules that lack their events prove nothing. */
export function nothingFound({ checked, not_checked }: Findings): string {
  return `No rule found anything: ${checked.length} of ${checked.length + not_checked.length} rules could be checked.`;
}

/** What the rules that could not be checked lack. */
export function unchecked({ not_checked }: Findings): string[] {
  return not_checked.map(({ title, needs }) => `Not checked: ${title}. It needs ${needs.join('; and ')}.`);
}

export const FINDINGS_NOT_CONCLUDED = [
  'Findings can overlap: their seconds do not add up.',
  'What no rule looks for is not found. No finding does not mean that nothing is wrong.',
];

/** All that rules find. */
export async function allFindings(trace: AskedTrace): Promise<Answer> {
  const found = await findAll(trace);
  const clean = found.checked.filter((rule) => rule.found === 0).map(({ title }) => title);
  const more = found.checked.filter((rule) => rule.more).map(({ title }) => title);
  return {
    says:
      found.findings.length === 0
        ? [nothingFound(found)]
        : found.stories.slice(0, 3).map(({ sentence }) => sentence),
    tables: [findingTable(found)],
    left_out: [
      ...more.map((title) => `${title} found more than is listed.`),
      ...found.failed.map(({ message }) => `Rule that failed: ${message}`),
    ],
    evidence: [
      ...found.checked
        .filter((rule) => rule.found > 0)
        .map(({ title, means, threshold }) => `${title}: ${means} Bound: ${threshold}.`),
      ...found.stories.flatMap(({ rests_on }) => rests_on),
      ...(clean.length > 0 ? [`Found nothing: ${clean.join(', ')}.`] : []),
    ],
    not_concluded: [...FINDINGS_NOT_CONCLUDED, ...found.stories.flatMap(({ not_said }) => not_said)],
    not_recorded: unchecked(found),
    next: proofCalls(found, 3),
    place: { view: 'overview' },
  };
}
