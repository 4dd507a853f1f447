import * as v from 'valibot';
import { SqlFileError } from '../sql-file/index.ts';
import { messageOf } from '../model/message.ts';

/** The ending of a dashboard's file. */
export const DASHBOARD_ENDING = '.dashboard.json';

/** How many columns a dashboard has at most. */
export const MOST_COLUMNS = 4;

const columns = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_COLUMNS));

/** What a dashboard says in its file and in a link alike. */
export const dashboardFields = {
  name: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,52}$/, 'it is no name of a dashboard')),
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  /** How many columns the page has. */
  columns: v.optional(columns, 2),
  /** How many of them a panel takes. */
  width: v.optional(columns, 1),
} as const;

/** How many panels a dashboard shows at most. */
export const MOST_CARDS = 100;

const card = v.strictObject({
  /** The panel's id. */
  panel: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,55}$/, 'takes the id of a panel')),
  /** Params that differ from their defaults. */
  params: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()])), {}),
  width: dashboardFields.width,
});

const dashboard = v.strictObject({
  title: dashboardFields.title,
  columns: dashboardFields.columns,
  panels: v.pipe(v.array(card), v.maxLength(MOST_CARDS)),
});

/** One panel in a dashboard. */
export type DashboardCard = v.InferOutput<typeof card>;

/** Panels side by side, as a file holds them. */
export interface Dashboard extends v.InferOutput<typeof dashboard> {
  /** The file's name without its ending. */
  readonly id: string;
  readonly file: string;
}

/** Reads a dashboard; throws a {@link SqlFileError} for a file that is none. */
export function readDashboard({ name, text }: { readonly name: string; readonly text: string }): Dashboard {
  const id = name.slice(0, -DASHBOARD_ENDING.length);
  if (!name.endsWith(DASHBOARD_ENDING) || !v.is(dashboardFields.name, id))
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
