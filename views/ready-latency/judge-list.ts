import type { Query, Row } from '../../shared/engine/index.ts';
import { whyLateEstimates, type MainWhy, type WhyLateEstimates } from '../../shared/why-late/index.ts';
import { readWait, type ReadyWait } from '../../shared/ready-waits/index.ts';
import type { ReadyLatencyModel, WhySum } from './model.ts';

/** How many of the longest waits are judged. */
export const JUDGED_WAITS = 500;
/** How many of these at once: those that a table shows first. */
const FIRST_WAITS = 30;
/** How many of the others in one request: what the user asks for meanwhile waits for one, not for all. */
const LATER_WAITS = 100;

/** The list of waits whose reasons are shown. */
export interface JudgedList {
  readonly waits: readonly ReadyWait[];
  /** The rows of those whose reason is pending. */
  readonly pending: readonly Row[];
}

/**
 * The waits of rows, longest first; the first ones, and those that were judged before, with an estimate
 * of why the thread ran late. If `only` is given, those that are not known to have that main reason are left out.
 */
export async function judgeList(
  query: Query,
  rows: readonly Row[],
  only: MainWhy | null,
): Promise<JudgedList> {
  const estimates = whyLateEstimates(query);
  const judged = rows.slice(0, JUDGED_WAITS);
  await estimates.load(query, judged.slice(0, FIRST_WAITS));
  const pending = judged.filter((row) => estimates.of(row) === undefined);
  if (only !== null) return { waits: withReason(estimates, judged, only), pending };
  const waits = rows.map((row, index) =>
    readWait(row, index < JUDGED_WAITS ? (estimates.of(row) ?? 'pending') : null),
  );
  return { waits, pending };
}

function withReason(estimates: WhyLateEstimates, rows: readonly Row[], why: MainWhy): ReadyWait[] {
  return rows.filter((row) => estimates.of(row) === why).map((row) => readWait(row, why));
}

/** The model with the reasons that were pending. */
export async function judgePending(query: Query, model: ReadyLatencyModel): Promise<ReadyLatencyModel> {
  if (model.unjudged === null) return model;
  const { rows, only } = model.unjudged;
  const estimates = whyLateEstimates(query);
  const whys = new Map<string, MainWhy>();
  for (let first = 0; first < rows.length; first += LATER_WAITS) {
    const some = rows.slice(first, first + LATER_WAITS);
    await estimates.load(query, some);
    for (const row of some)
      whys.set(`${Number(row.tid)} ${Number(row.ts)}`, estimates.of(row) ?? 'not_explained');
  }
  if (only !== null) {
    const listed = withReason(estimates, only.among, only.why);
    const waits = listed.slice(0, only.limit);
    const by_why = splitByWhy(waits);
    return { ...model, listed: listed.length, only: only.words, waits, by_why, unjudged: null };
  }
  const waits = model.waits.map((wait) =>
    wait.why_late === 'pending' ? { ...wait, why_late: whys.get(`${wait.tid} ${wait.ts}`) ?? null } : wait,
  );
  return { ...model, waits, by_why: splitByWhy(waits), unjudged: null };
}

/** The ready time of waits by main reason, most first. */
export function splitByWhy(waits: readonly ReadyWait[]): WhySum[] {
  const sums = new Map<MainWhy, WhySum>();
  for (const { why_late: why, dur } of waits) {
    if (why === null || why === 'pending') continue;
    const before = sums.get(why) ?? { count: 0, sum_ns: 0 };
    sums.set(why, { why, count: before.count + 1, sum_ns: before.sum_ns + dur });
  }
  return [...sums.values()].sort((a, b) => b.sum_ns - a.sum_ns);
}
