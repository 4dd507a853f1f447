import type { Cell, Row } from '../engine/index.ts';
import { formatCell } from '../model/index.ts';

/** How a cell reads in a sentence. */
const KINDS = {
  text: 'text',
  count: 'count',
  duration: 'duration_ns',
  time: 'time_ns',
  share: 'share',
} as const;

/** A column with its kind, or with two words: for one, and for any other count. */
const FIELD = /\{([A-Za-z_]\w*)(?::([a-z]+)(?:\|([a-z]+))?)?\}/g;
const OPTIONAL = /\[([^[\]]*)\]/g;

/** The columns that a template names. */
export function templateColumns(template: string): readonly string[] {
  return [...template.matchAll(FIELD)].map(([, name = '']) => name);
}

/** What is wrong with a template; null if nothing is. */
export function templateFault(template: string): string | null {
  const kinds = Object.keys(KINDS).join(', ');
  for (const [field, , kind, others] of template.matchAll(FIELD)) {
    if (kind === undefined || others !== undefined || Object.hasOwn(KINDS, kind)) continue;
    return `has ${field}: kinds are ${kinds}`;
  }
  const rest = template.replaceAll(OPTIONAL, '$1').replaceAll(FIELD, '');
  const stray = /[{}[\]]/.exec(rest)?.[0];
  return stray === undefined ? null : `has a "${stray}" without its other half, or around no column name`;
}

/** Fills a template from a row. A part in brackets is left out where one of its columns is null. */
export function fillTemplate(template: string, row: Row, origin_ns: number): string {
  const fill = (part: string) =>
    part.replaceAll(FIELD, (_, name: string, kind?: string, others?: string) => {
      const cell = row[name] ?? null;
      if (kind !== undefined && others !== undefined) return Number(cell) === 1 ? kind : others;
      return formatCell(cell, KINDS[(kind ?? 'text') as keyof typeof KINDS], origin_ns);
    });
  const kept = template.replaceAll(OPTIONAL, (_, part: string) =>
    templateColumns(part).some((name) => (row[name] ?? null) === null) ? '' : part,
  );
  return fill(kept);
}

/** A value that is a column's, `{ts}`, or stands for itself. */
export function fillValue(value: string, row: Row): Cell {
  const name = /^\{(\w+)\}$/.exec(value)?.[1];
  return name === undefined ? value : (row[name] ?? null);
}
