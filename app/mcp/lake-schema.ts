import { lakePanels } from '../../panels/lake/index.ts';
import { readPanel } from '../../shared/panel/index.ts';
import { FULL_TABLES, LAKE_TABLES, SQL_TYPES, UNITS, type LakeTable } from '../fleet/index.ts';

const tables: Readonly<Record<string, LakeTable>> = LAKE_TABLES;

/** The tables of a lake that SQL names, each with the names of its columns, on a line. */
export function lakeTableWords(sql: string): string[] {
  const named = new Set(sql.toLowerCase().match(/[a-z_][a-z0-9_]*/g));
  return Object.entries(tables).flatMap(([name, { columns }]) =>
    named.has(name) ? [`${name} has ${[...Object.keys(columns), 'date'].join(', ')}`] : [],
  );
}

/** The questions to a lake, and its tables with their columns, as Markdown. */
export function lakeSchema(): string {
  const questions = lakePanels
    .map(readPanel)
    .map(({ id, title, description }) => `- \`${id}\`: ${title}. ${description}`);
  const sections = Object.entries(tables).map(
    ([name, { meaning, columns }]) =>
      `## ${name}\n\n${meaning}\n\n${Object.entries(columns)
        .map(([column, { kind, meaning: what }]) => {
          const unit = UNITS[kind] === '' ? '' : `, ${UNITS[kind]}`;
          return `- \`${column}\` (${SQL_TYPES[kind]}${unit}): ${what}`;
        })
        .join('\n')}`,
  );
  return [
    '# A lake',
    'The tool lake answers these questions:',
    questions.join('\n'),
    `It takes one SELECT of DuckDB, too. Each table has \`date\`, the day on which the recording began. Traces that were added in full have ${FULL_TABLES.join(', ')} besides, with \`trace_id\`: outrank://schema/TABLE has their columns.`,
    ...sections,
    '',
  ].join('\n\n');
}
