import type { ThreadRows, Wait } from './thread-rows.ts';

/** What releases are looked for. */
export interface ReleasesAsked {
  readonly utid: number;
  readonly switch_in_ts: number;
  readonly depth: number;
  /** How many are looked for at most. */
  readonly most: number;
  readonly past_dpc_ns: number;
}

/** A wait that a released thread, or the chosen one, ended by a wake. */
export interface FoundRelease {
  readonly wait: Wait;
  /** Wakes between the chosen run and this one. */
  readonly depth: number;
  /** Which of what is found woke it; null for the chosen run. */
  readonly parent: number | null;
  /** When the thread blocked; null if it did not, or did not run. */
  readonly block_ts: number | null;
}

/** A run from which releases are looked for. */
interface Releasing {
  readonly utid: number;
  readonly ts: number;
  readonly block_ts: number | null;
}

/** The ready events of a run are looked for until so long after it: the converter may write one after its thread's switch-out. */
const LATE_NS = 1_000_000;
/** How many waits for DPCs a thread's releases go past: what is a timer's again and again has nothing to do with the release. */
const MOST_PASSED = 4;

/** What a run released, and what that released in turn: by depth, then by time. */
export async function findReleases(
  rows: ThreadRows,
  { utid, switch_in_ts, depth: mostDepth, most, past_dpc_ns }: ReleasesAsked,
): Promise<FoundRelease[]> {
  const chosen = { utid, ts: switch_in_ts, block_ts: await blockOf(rows, utid, switch_in_ts, past_dpc_ns) };
  const found: FoundRelease[] = [];
  let next = await releasesOf(rows, chosen, 1, null);
  for (let depth = 1; depth <= mostDepth && next.length > 0; depth++) {
    const level = next.sort((a, b) => a.wait.ts - b.wait.ts);
    next = [];
    for (const release of level) {
      if (found.length === most) return found;
      const { wait } = release;
      const block_ts = wait.ended ? await blockOf(rows, wait.utid, wait.te, past_dpc_ns) : null;
      const parent = found.push({ ...release, block_ts }) - 1;
      if (!wait.ended || depth === mostDepth) continue;
      next.push(...(await releasesOf(rows, { utid: wait.utid, ts: wait.te, block_ts }, depth + 1, parent)));
    }
  }
  return found;
}

async function releasesOf(
  rows: ThreadRows,
  { utid, ts, block_ts }: Releasing,
  depth: number,
  parent: number | null,
): Promise<FoundRelease[]> {
  const until_ts = block_ts === null ? Infinity : await untilOf(rows, utid, block_ts);
  const waits = await rows.wokenBetween(utid, ts, until_ts);
  return waits.map((wait) => ({ wait, depth, parent, block_ts: null }));
}

/** Until when ready events of a run are looked for. What a later run readied is its own. */
async function untilOf(rows: ThreadRows, utid: number, block_ts: number): Promise<number> {
  for await (const next of rows.runsFrom(utid, block_ts)) return Math.min(block_ts + LATE_NS, next.ts);
  return block_ts + LATE_NS;
}

/** When a thread blocked that was switched in at `ts`: not for what a DPC ended within `past_dpc_ns`, unless it does so again and again. */
async function blockOf(
  rows: ThreadRows,
  utid: number,
  ts: number,
  past_dpc_ns: number,
): Promise<number | null> {
  let last: number | null = null;
  let passed = 0;
  for await (const run of rows.runsFrom(utid, ts)) {
    if (!(await rows.hasBlocked(utid, run))) continue;
    last = run.te;
    if (past_dpc_ns === 0 || !run.ended || passed === MOST_PASSED) return last;
    const wait = await rows.waitFrom(utid, run.te);
    const isPassed =
      wait !== null &&
      wait.ts - run.te <= past_dpc_ns &&
      wait.is_wake &&
      wait.waker_utid === null &&
      wait.waker_in_dpc !== 0;
    if (!isPassed) return last;
    passed++;
  }
  return last;
}
