import { group } from 'd3';
import { KeySet, type Batch, type Tables } from '../tables/index.ts';
import { loadFocus } from '../threads/index.ts';
import type { Delay } from './delay.ts';
import { FOR_WORK } from './for-work.ts';
import { processesOfThreads } from './thread-processes.ts';

/** The shortest block that a user sees, in ns: so long Windows waits too before it reports that a window does not ask for messages. */
const LEAST_SEEN_NS = 200_000_000;
/** The wait reason of threads that wait for messages, such as keys. */
const FOR_MESSAGES = 'WrUserRequest';

const RUN_COLUMNS = ['ts', 'te', 'utid', 'switch_out_state', 'switch_out_wait_reason'] as const;

/**
 * The long blocks of threads that take messages, as far as their process had the focus: from the block, or from when the process got the
 * focus, until the thread runs again, or until the process loses the focus.
 */
export async function focusBlocks(tables: Tables): Promise<readonly Delay[]> {
  const focus = group(await loadFocus(tables), ({ upid }) => upid);
  if (focus.size === 0) return [];
  const upids = await processesOfThreads(tables);
  const blocks = new SeenBlocks([...upids.keys()].filter((utid) => focus.has(upids.get(utid) ?? null)));
  for await (const runs of tables.batches('etw_run', RUN_COLUMNS)) blocks.add(runs);
  return blocks
    .all()
    .flatMap(({ utid, ts, te }) =>
      (focus.get(upids.get(utid) ?? null) ?? [])
        .map((span) => ({ utid, ts: Math.max(ts, span.ts), te: Math.min(te, span.te) }))
        .filter((seen) => seen.te - seen.ts >= LEAST_SEEN_NS),
    );
}

/** For what a thread blocks. */
const [FOR_OTHERS, TO_GET_WORK, TO_GET_MESSAGES] = [0, 1, 2];

/** The long blocks of some threads that were neither for work nor for messages. */
class SeenBlocks {
  /** Whose blocks are looked at. */
  readonly #wanted: KeySet;
  /** By thread: when it last blocked for others, in ns; NaN outside such a block. */
  readonly #left_ts: Float64Array;
  /** By thread: 1 where it waited for messages. */
  readonly #takesMessages: Uint8Array;
  readonly #found: Delay[] = [];
  #texts: readonly string[] | null = null;
  /** By the number of a wait reason. */
  #purposes: Uint8Array = new Uint8Array(0);

  constructor(utids: readonly number[]) {
    this.#wanted = new KeySet(utids);
    this.#left_ts = new Float64Array(this.#wanted.end).fill(NaN);
    this.#takesMessages = new Uint8Array(this.#wanted.end);
  }

  /** Adds runs, which come in the order of time. */
  add({ rowCount, columns }: Batch<(typeof RUN_COLUMNS)[number]>): void {
    const { ts, te, utid: utids, switch_out_state: state, switch_out_wait_reason: reason } = columns;
    if (reason.texts !== this.#texts) {
      this.#texts = reason.texts;
      this.#purposes = Uint8Array.from(reason.texts ?? [], purposeOf);
    }
    const waiting = state.texts?.indexOf('Waiting') ?? -1;
    const [wanted, threads] = [this.#wanted, utids.values];
    for (let row = 0; row < rowCount; row++) {
      const utid = threads[row] ?? 0;
      if (!wanted.has(utid)) continue;
      this.#end(utid, ts.values[row] ?? 0);
      if (state.values[row] !== waiting || state.present?.[row] === 0 || reason.present?.[row] === 0)
        continue;
      const purpose = this.#purposes[reason.values[row] ?? 0];
      if (purpose === TO_GET_MESSAGES) this.#takesMessages[utid] = 1;
      if (purpose === FOR_OTHERS) this.#left_ts[utid] = te.values[row] ?? 0;
    }
  }

  /** The blocks of threads that take messages; one that did not end is without an end. */
  all(): readonly Delay[] {
    for (let utid = 0; utid < this.#left_ts.length; utid++) this.#end(utid, Infinity);
    return this.#found.filter(({ utid }) => this.#takesMessages[utid] === 1);
  }

  #end(utid: number, te: number): void {
    const ts = this.#left_ts[utid] ?? NaN;
    if (te - ts >= LEAST_SEEN_NS) this.#found.push({ utid, ts, te });
    this.#left_ts[utid] = NaN;
  }
}

function purposeOf(reason: string): number {
  if (reason === FOR_MESSAGES) return TO_GET_MESSAGES;
  return FOR_WORK.has(reason) ? TO_GET_WORK : FOR_OTHERS;
}
