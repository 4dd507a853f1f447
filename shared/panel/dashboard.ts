import * as v from 'valibot';
import { SqlFileError } from '../sql-file/index.ts';
import { messageOf } from '../model/message.ts';

/** The ending of a dashboard's file. */
export const DASHBOARD_ENDING = '.dashboard.json';

const card = v.strictObject({
  /** The panel's id. */
  panel: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,55}$/, 'takes the id of a panel')),
  /** Params that differ from their defaults. */
  params: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()])), {}),
  /** How many columns of the dashboard it takes. */
  width: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4)), 1),
});

const dashboard = v.strictObject({
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  /** How many columns the page has. */
  columns: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4)), 2),
  panels: v.pipe(v.array(card), v.maxLength(100)),
});

/** One panel in a dashboard. */
export type DashboardCard = v.InferOutput<typeof card>;

/** Panels side by side, as a file holds them. */
export interface Dashboard extends v.InferOutput<typeof dashboard> {
  /** The file's name without its ending. */
  readonly id: string;
  readonly file: string;
}

const FILE = /^([a-z0-9][a-z0-9-]{0,52})\.dashboard\.json$/;

/** Reads a dashboard; throws a {@link SqlFileError} for a file that is none. */
export function readDashboard({ name, text }: { readonly name: string; readonly text: string }): Dashboard {
  const [, id] = FILE.exec(name) ?? [];
  if (id === undefined)
    throw new SqlFileError(
      name,
      null,
      `the name of a dashboard is small letters, digits and - before ${DASHBOARD_ENDING}`,
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new SqlFileError(name, null, `is no JSON: ${messageOf(error)}`);
  }
  const result = v.safeParse(dashboard, value);
  if (result.success) return { id, file: name, ...result.output };
  const [issue] = result.issues;
  const path = v.getDotPath(issue) ?? 'the whole';
  throw new SqlFileError(name, null, `${path}: ${issue.message}`);
}

/** A dashboard as the text of its file. */
export function writeDashboard({ title, columns, panels }: Omit<Dashboard, 'id' | 'file'>): string {
  return `${JSON.stringify({ title, columns, panels }, null, 2)}\n`;
}
