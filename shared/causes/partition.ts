import type { Query } from '../engine/index.ts';
import { dataOf, numberAt, textAt, type Stretch, type Tables } from '../tables/index.ts';
import {
  loadCpuRecord,
  loadJudgedRanks,
  loadMachine,
  NONE_JUDGED,
  type JudgedRanks,
  type Machine,
  type Wait,
} from '../why-late/columns/index.ts';
import type { Delay, Part, Partition } from './delay.ts';
import { loadHistory, waitAt, WAIT_COLUMNS, type History } from './history.ts';
import type { Owner } from './owner.ts';
import { AROUND_NS, splitReady, type JudgedBy } from './ready-parts.ts';
import { merged } from './stretches.ts';
import { loadIos, wakeSource } from './wake-source.ts';
import { walkBack, type Step, type Surroundings, type Wake } from './walk.ts';

/**
 * Divides a delay: each ns of it has one owner. Throws a `RangeError` for a delay that does not lie in the recording or ends before
 * it begins.
 */
export async function partition(query: Query, delay: Delay): Promise<Partition> {
  const { outline, tables } = dataOf(query);
  const machine = await loadMachine(outline);
  const { ts, te } = delay;
  if (!(ts < te)) throw new RangeError('a delay ends after it begins');
  if (ts < machine.start_ts || te > machine.end_ts)
    throw new RangeError('a delay lies within the recording: it begins or ends outside');
  const stretch = { start: ts - AROUND_NS, end: te + AROUND_NS };
  const history = await loadHistory(tables, stretch);
  const record = await loadCpuRecord(tables, machine);
  const around = surroundings(tables, machine, record.losses, stretch);
  const { steps, blocks } = await walkBack(history, around, delay);
  const by: JudgedBy = { history, machine, losses: record.losses, first_run_ts: record.first_run_ts };
  const judged = await judgedFor(query, history, steps);
  const ios = steps.some(({ what }) => what.kind === 'woken') ? await loadIos(outline, stretch) : new Map();
  const parts = [...steps].reverse().flatMap((step) => {
    const { what, ...of } = step;
    const whole = (owner: Owner, detail: string | null = null, cpu: number | null = null): Part[] => [
      { ...of, owner, detail, cpu },
    ];
    switch (what.kind) {
      case 'ran':
        return whole('ran', null, history.runs.column('cpu')[what.run] ?? null);
      case 'ready':
        return splitReady(by, waitAt(history, what.wait, judged), of).map(({ ts, te, why }): Part => ({
          ...of,
          ts,
          te,
          owner: why,
          detail: null,
          cpu: null,
        }));
      case 'woken': {
        const { owner, detail } = wakeSource(history, machine.cpu_count, ios, { ...what, utid: of.utid });
        return whole(owner, detail);
      }
      case 'frozen':
      case 'asleep':
        return whole(what.kind);
      case 'not_explained':
      case 'not_recorded':
        return whole(what.kind, what.detail);
    }
  });
  return { delay, parts: joined(parts), blocks };
}

/** Parts that follow one another and say the same, as one. */
function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    const isSame =
      last?.utid === part.utid &&
      last.depth === part.depth &&
      last.owner === part.owner &&
      last.cpu === part.cpu &&
      last.detail === part.detail;
    if (isSame) all[all.length - 1] = { ...last, te: part.te };
    else all.push(part);
  }
  return all;
}

function surroundings(
  tables: Tables,
  machine: Machine,
  losses: readonly { readonly ts: number; readonly te: number }[],
  stretch: Stretch,
): Surroundings {
  const at = { ts: stretch.start, te: stretch.end };
  const holdsOf = (utid: number) => machine.holdsOf({ ...NO_WAIT, ...at, utid });
  const frozen = new Map<number, ReturnType<typeof merged>>();
  return {
    asleep: merged(holdsOf(0).filter(({ why }) => why === 'asleep')),
    lost: merged(losses),
    frozenOf(utid) {
      const spans = frozen.get(utid) ?? merged(holdsOf(utid).filter(({ why }) => why === 'frozen'));
      frozen.set(utid, spans);
      return spans;
    },
    wakeAfter: laterWakes(tables, { start: stretch.end, end: machine.end_ts + 1 }),
  };
}

const NO_WAIT: Wait = {
  ts: 0,
  te: 0,
  utid: 0,
  rank: null,
  priority: null,
  cpu: null,
  flags: null,
  last_ready_ts: null,
};

/** The first wakes after a history, read no further than to the one that is asked for. */
function laterWakes(tables: Tables, after: Stretch): Surroundings['wakeAfter'] {
  const batches = tables.batches('etw_ready_wait', WAIT_COLUMNS, after)[Symbol.asyncIterator]();
  const first = new Map<number, Wake | null>();
  let isAtEnd = after.start >= after.end;
  return async (utid) => {
    while (!first.has(utid) && !isAtEnd) {
      const next = await batches.next();
      isAtEnd = next.done === true;
      if (next.done === true) break;
      const { rowCount, columns } = next.value;
      for (let row = 0; row < rowCount; row++) {
        const of = columns.utid.values[row] ?? 0;
        const ts = columns.ts.values[row] ?? 0;
        if (ts < after.start || first.has(of)) continue;
        const out = numberAt(columns.last_switch_out_ts, row);
        // A thread that ran meanwhile was woken before, and no ready event of that was recorded.
        const isFirst = textAt(columns.cause, row) === 'wake' && (out === null || out < after.start);
        const waker = numberAt(columns.waker_utid, row);
        first.set(of, isFirst ? { ts, waker_utid: waker === 0 ? null : waker, switch_out_ts: out } : null);
      }
    }
    return first.get(utid) ?? null;
  };
}

/** The judged ranks of waits; judged are all of a trace, and only where a step waits for such a judgement. */
async function judgedFor(query: Query, { waits }: History, steps: readonly Step[]): Promise<JudgedRanks> {
  const [before, after] = [waits.column('rank_before'), waits.column('rank_after')];
  const isInDoubt = steps.some(({ what }) => {
    if (what.kind !== 'ready') return false;
    return Math.abs((before[what.wait] ?? NaN) - (after[what.wait] ?? NaN)) > 0;
  });
  return isInDoubt ? loadJudgedRanks(query) : NONE_JUDGED;
}
