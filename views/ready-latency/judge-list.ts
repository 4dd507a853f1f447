import type { Query, Row } from '../../shared/engine/index.ts';
import { whyLateEstimates, type MainWhy } from '../../shared/why-late/index.ts';
import type { ReadyLatencyModel, ReadyWait } from './model.ts';
import { readWait } from './read-row.ts';
import { splitByWhy } from './summarise.ts';

/** How many of the longest waits are judged. */
export const JUDGED_WAITS = 500;
/** How many of these at once: those that a table shows first. */
const FIRST_WAITS = 30;
/** How many of the others in one request: what the user asks for meanwhile waits for one, not for all. */
const LATER_WAITS = 100;

/** The list of waits, and the reasons of which are shown. */
export interface JudgedList {
  readonly waits: readonly ReadyWait[];
  /** The rows of those whose reason is pending. */
  readonly pending: readonly Row[];
}

/**
 * The waits of the rows of `details.sql`, longest first; the first ones, and those that were judged before, with an estimate
 * of why the thread ran late. If `only` is given, all that are to be judged are, and those with another reason left out.
 */
export async function judgeList(
  query: Query,
  rows: readonly Row[],
  cpuCount: number,
  only: MainWhy | null,
): Promise<JudgedList> {
  const estimates = whyLateEstimates(query);
  const judged = rows.slice(0, JUDGED_WAITS);
  await estimates.load(query, only === null ? judged.slice(0, FIRST_WAITS) : judged, cpuCount);
  if (only !== null) {
    const found = judged.filter((row) => estimates.of(row) === only);
    return { waits: found.map((row) => readWait(row, only)), pending: [] };
  }
  const waits = rows.map((row, index) =>
    readWait(row, index < JUDGED_WAITS ? (estimates.of(row) ?? 'pending') : null),
  );
  return { waits, pending: judged.filter((row) => estimates.of(row) === undefined) };
}

/** What of the lists of models is still to be judged, and of which trace. */
const unjudged = new WeakMap<
  ReadyLatencyModel,
  { readonly asked: Query; readonly rows: readonly Row[]; readonly cpuCount: number }
>();

/** Notes what `judgePending` has to add to a model. */
export function notePending(
  model: ReadyLatencyModel,
  asked: Query,
  rows: readonly Row[],
  cpuCount: number,
): void {
  if (rows.length > 0) unjudged.set(model, { asked, rows, cpuCount });
}

/** The model with the reasons that were pending. */
export async function judgePending(query: Query, model: ReadyLatencyModel): Promise<ReadyLatencyModel> {
  const left = unjudged.get(model);
  if (left === undefined) return model;
  const { rows, cpuCount } = left;
  // By the query that the model was loaded with: the next list asks there what is known.
  const estimates = whyLateEstimates(left.asked);
  const whys = new Map<string, MainWhy>();
  for (let first = 0; first < rows.length; first += LATER_WAITS) {
    const some = rows.slice(first, first + LATER_WAITS);
    await estimates.load(query, some, cpuCount);
    for (const row of some)
      whys.set(`${Number(row.tid)} ${Number(row.ts)}`, estimates.of(row) ?? 'not_explained');
  }
  const waits = model.waits.map((wait) =>
    wait.why_late === 'pending' ? { ...wait, why_late: whys.get(`${wait.tid} ${wait.ts}`) ?? null } : wait,
  );
  return { ...model, waits, by_why: splitByWhy(waits) };
}
