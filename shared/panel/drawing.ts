import type { Header } from '../sql-file/index.ts';

/** The roles that columns have in each kind of drawing; those of `may` can be left out. */
const ROLES = {
  table: { must: [], may: [] },
  bars: { must: ['name', 'value'], may: ['series'] },
  lines: { must: ['x', 'y'], may: ['series'] },
  area: { must: ['x', 'y'], may: ['series'] },
  histogram: { must: ['value'], may: ['count'] },
  heatmap: { must: ['x', 'y', 'value'], may: [] },
  scatter: { must: ['x', 'y'], may: ['series'] },
  spans: { must: ['lane', 'ts', 'dur'], may: ['series'] },
  flame: { must: ['id', 'parent', 'name', 'value'], may: [] },
  marks: { must: ['ts'], may: ['label', 'series'] },
  number: { must: ['value'], may: [] },
} as const;

/** How a panel's rows are drawn. */
export type DrawingKind = keyof typeof ROLES;

/** A role that a column has in a drawing. */
export type Role = (typeof ROLES)[DrawingKind]['must' | 'may'][number];

/** How a panel is drawn. */
export interface Drawing {
  readonly kind: DrawingKind;
  /** The columns, by what they are drawn as. */
  readonly roles: Readonly<Partial<Record<Role, string>>>;
  /** Bounds of a `number`, in the column's own unit: from `warn` on it is worth a look, from `bad` on it is wrong. */
  readonly warn: number | null;
  readonly bad: number | null;
  /** The line of the file that says so; null where none does. */
  readonly line: number | null;
}

/** The kinds of drawings. */
export const DRAWINGS = Object.keys(ROLES) as readonly DrawingKind[];

const DRAW = /^([a-z]+)((?: [a-z]+=\S+)*)$/;
const BOUND = /^(-?\d+(?:\.\d+)?)(ns|us|ms|s|%)?$/;
const SCALES: Readonly<Record<string, number>> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, '%': 0.01 };

/** Reads the `@draw` of a panel; a panel without one is a table. */
export function readDrawing(header: Header): Drawing {
  const entry = header.optional('draw');
  if (entry === null) return { kind: 'table', roles: {}, warn: null, bad: null, line: null };
  const [, name = '', rest = ''] = DRAW.exec(entry.value) ?? [];
  const kind = DRAWINGS.find((each) => each === name);
  if (kind === undefined)
    throw header.refusal(
      entry,
      `takes a drawing and its columns, such as "bars name=image value=dur": there are ${DRAWINGS.join(', ')}`,
    );
  const { must, may }: { readonly must: readonly Role[]; readonly may: readonly Role[] } = ROLES[kind];
  const roles: Partial<Record<Role, string>> = {};
  const bounds = { warn: null as number | null, bad: null as number | null };
  for (const part of rest.split(' ').filter((each) => each !== '')) {
    const at = part.indexOf('=');
    const [key, value] = [part.slice(0, at), part.slice(at + 1)];
    const role = [...must, ...may].find((each) => each === key);
    if (role !== undefined) roles[role] = value;
    else if (kind === 'number' && (key === 'warn' || key === 'bad')) {
      const [, number, unit = ''] = BOUND.exec(value) ?? [];
      if (number === undefined)
        throw header.refusal(entry, `has ${part}: a bound is a number, with ns, us, ms, s or % behind it`);
      bounds[key] = Number(number) * (SCALES[unit] ?? 1);
    } else {
      const known = [...must, ...may, ...(kind === 'number' ? ['warn', 'bad'] : [])];
      throw header.refusal(
        entry,
        `${kind} has no "${key}": ${known.length === 0 ? 'it takes none' : `there are ${known.join(', ')}`}`,
      );
    }
  }
  const lacking = must.find((role) => roles[role] === undefined);
  if (lacking !== undefined) throw header.refusal(entry, `${kind} needs ${lacking}=COLUMN`);
  return { kind, roles, ...bounds, line: entry.line };
}
