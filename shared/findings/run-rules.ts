import { BindError, EngineError, type Query, type Row } from '../engine/index.ts';
import { fillTemplate, fillValue, missingNeeds, templateColumns } from '../sql-file/index.ts';
import { dataOf } from '../tables/index.ts';
import { processLabel, threadLabel } from '../threads/index.ts';
import type { TimeRange, UserRules } from '../view/index.ts';
import type {
  CheckedRule,
  FailedRule,
  Finding,
  FindingPlace,
  Findings,
  ToldFindings,
  UncheckedRule,
} from './finding.ts';
import { drawnRows } from './drawn/index.ts';
import { MeasuredTrace } from './measures/index.ts';
import { readRules, type Rule, type RuleFile } from './rule.ts';
import ruleSql from './run-rule.sql';
import { shippedRules } from './shipped-rules.ts';
import { tellStories } from './tell-stories.ts';

/** How many rows of a rule become findings. */
const MAX_ROWS = 50;
/** Margin around a finding in the range that its proof shows, as a part of its length. */
const MARGIN = 0.08;

/** The columns that the rows of every rule have. */
const COLUMNS = ['ts', 'dur', 'utid', 'upid', 'seconds_lost'];

/** What is wrong with a rule once it meets a trace. */
class RuleError extends Error {
  override readonly name = 'RuleError';
}

/** No rules of a user: those that come with Outrank alone are asked. */
export const NO_OWN_RULES: UserRules = { files: [], refused: [] };

/** The name that asks for {@link runShippedRules} where the trace's files are, with a `range`. */
export const SHIPPED_FINDINGS = 'findings';

/** Runs the rules that come with Outrank, and tells what they find as stories. */
export async function runShippedRules(query: Query, whole: TimeRange): Promise<ToldFindings> {
  const { findings, ...rest } = await runRules(query, shippedRules, whole);
  const { rules } = readRules(shippedRules);
  return { findings, stories: await tellStories(query, findings, rules, whole), ...rest };
}

/**
 * Runs the rules that come with Outrank, and those of the user, and tells what they find as stories. What the rules of Outrank
 * find is not looked for again where the trace's host keeps it.
 */
export async function runAllRules(query: Query, own: UserRules, whole: TimeRange): Promise<ToldFindings> {
  const { askBeside } = dataOf(query);
  const shipped =
    askBeside === null
      ? await runShippedRules(query, whole)
      : ((await askBeside(SHIPPED_FINDINGS, { range: whole })) as ToldFindings);
  if (own.files.length === 0) return { ...shipped, failed: [...shipped.failed, ...own.refused] };
  const found = await runRules(query, own.files, whole, own.limit);
  const findings = [...shipped.findings, ...found.findings].sort(byLoss);
  const { rules } = readRules([...shippedRules, ...own.files]);
  return {
    findings,
    stories: await tellStories(query, findings, rules, whole),
    checked: [...shipped.checked, ...found.checked],
    not_checked: [...shipped.not_checked, ...found.not_checked],
    failed: [...shipped.failed, ...found.failed, ...own.refused],
  };
}

/**
 * Runs rules on a trace whose recording lasts for `whole`. The result reports rules that are wrong. What each rule asks of the
 * engine goes through `limit`. `areDrawn`: rows of shipped rules are drawn from the tables where that can be. Where the tables
 * are columns, that needs no engine.
 */
export async function runRules(
  query: Query,
  files: readonly RuleFile[],
  whole: TimeRange,
  limit: NonNullable<UserRules['limit']> = (_, ask) => ask(),
  areDrawn = dataOf(query).hasColumns,
): Promise<Findings> {
  const { rules, failed: unread } = readRules(files);
  const findings: Finding[] = [];
  const checked: CheckedRule[] = [];
  const not_checked: UncheckedRule[] = [];
  const failed: FailedRule[] = [...unread];
  const measured = new MeasuredTrace(query, whole);
  for (const rule of rules) {
    try {
      const missing = await missingNeeds(query, rule.needs);
      if (missing.length > 0) {
        not_checked.push({
          id: rule.id,
          title: rule.title,
          needs: [...new Set(missing.map(({ record }) => record))],
        });
        continue;
      }
      const rows = await limit(rule.text, () => rowsOf(query, rule, measured, areDrawn));
      const listed = rows.slice(0, MAX_ROWS);
      findings.push(...listed.map((row) => makeFinding(rule, row, whole)));
      checked.push(describe(rule, listed.length, rows.length > listed.length));
    } catch (error) {
      failed.push({ id: rule.id, message: `${rule.file}${wording(error)}` });
    }
  }
  return { findings: findings.sort(byLoss), checked, not_checked, failed };
}

function byLoss(a: Finding, b: Finding): number {
  return b.seconds_lost - a.seconds_lost || a.where.span.start - b.where.span.start;
}

async function rowsOf(
  query: Query,
  rule: Rule,
  measured: MeasuredTrace,
  isDrawn: boolean,
): Promise<readonly Row[]> {
  const drawn = isDrawn ? await drawnRows(rule, measured, MAX_ROWS + 1) : null;
  return drawn ?? askRows(query, rule, measured);
}

async function askRows(
  query: Query,
  { select, threshold, sentence, measures }: Rule,
  measured: MeasuredTrace,
): Promise<Row[]> {
  const tables: string[] = [];
  for (const name of measures) tables.push(`${await measured.asTable(name, threshold.value)}, `);
  // Functions, since in a text `$` would have a meaning.
  const sql = ruleSql.replace('/* measures */', () => tables.join('')).replace('/* select */', () => select);
  const result = await query(sql, { threshold: threshold.value, max_rows: MAX_ROWS });
  const known = [...result.columns, 'thread', 'process'];
  const lacking = [...COLUMNS, ...templateColumns(sentence)].find((name) => !known.includes(name));
  if (lacking !== undefined) {
    throw new RuleError(`its rows have no column "${lacking}": there are ${result.columns.join(', ')}`);
  }
  return [...result.rows()];
}

function makeFinding({ id, title, sentence, proof }: Rule, row: Row, whole: TimeRange): Finding {
  const where = placeOf(row);
  const words: Row = {
    ...row,
    thread: where.tid === null ? null : threadLabel(where),
    process: where.pid === null ? null : processLabel(where),
  };
  const { span, tid, pid } = where;
  const thread = tid === null ? null : { tid, ts: span.start };
  return {
    rule: id,
    title,
    seconds_lost: Number(row.seconds_lost),
    where,
    sentence: fillTemplate(sentence, words, whole.start),
    proof: {
      view: proof.view,
      params: Object.fromEntries(proof.params.map(([name, value]) => [name, fillValue(value, words)])),
      range: around(span, whole),
      selection: { span, thread, pid },
    },
  };
}

function placeOf(row: Row): FindingPlace {
  const ts = Number(row.ts);
  const number = (cell: Row[string] | undefined) =>
    cell === null || cell === undefined ? null : Number(cell);
  const text = (cell: Row[string] | undefined) => (typeof cell === 'string' ? cell : null);
  return {
    span: { start: ts, end: ts + Number(row.dur) },
    tid: number(row.tid),
    thread: text(row.thread_name),
    service: text(row.thread_service) ?? text(row.process_services),
    pid: number(row.pid),
    process: text(row.process_name),
    services: text(row.process_services),
  };
}

function around({ start, end }: TimeRange, whole: TimeRange): TimeRange {
  const SHORTEST_NS = 1e6;
  const margin = Math.ceil(Math.max((end - start) * MARGIN, (SHORTEST_NS - (end - start)) / 2, 0));
  return { start: Math.max(whole.start, start - margin), end: Math.min(whole.end, end + margin) };
}

function describe(rule: Rule, found: number, more: boolean): CheckedRule {
  const { id, title, means, matters, lost, threshold } = rule;
  return {
    id,
    title,
    means,
    matters,
    threshold: threshold.text,
    source: threshold.source,
    lost,
    found,
    more,
  };
}

/** What went wrong, to stand behind the name of the rule's file. An error of the engine itself is none of the rule's. */
function wording(error: unknown): string {
  if (error instanceof RuleError) return `: ${error.message}`;
  if (error instanceof BindError && error.message.endsWith(':threshold'))
    return ': the SELECT does not use :threshold';
  if (error instanceof BindError) return `: ${error.message}`;
  if (!(error instanceof EngineError) || error.kind !== 'sql') throw error;
  const { place, message } = error;
  // On line 1 stands the beginning of the header: the engine names it where it knows no place.
  return place === null || place.line === 1 ? `: ${message}` : `, line ${place.line}: ${message}`;
}
