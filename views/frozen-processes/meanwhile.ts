import { bisectRight, group } from 'd3';
import { KeySet, numberAt, type Tables } from '../../shared/tables/index.ts';
import type { ThreadName } from '../../shared/threads/index.ts';

/** A span in which a process is frozen, and until when a run is its first after the thaw: the end where it is not thawed. */
export interface FrozenSpan {
  readonly upid: number | null;
  readonly ts: number;
  readonly te: number;
  readonly until_ts: number;
}

/** What became of the threads of a process in a freeze and after it. */
export interface Meanwhile {
  ran_ns: number;
  readonly readied: Set<number>;
  /** The first wake in the freeze; without a waker for a DPC. */
  first_readied: { readonly ts: number; readonly utid: number; readonly waker_utid: number | null } | null;
  first_run: { readonly ts: number; readonly utid: number } | null;
}

/** What became of the threads in each of some spans. Those of a process lie apart. */
export async function loadMeanwhile<S extends FrozenSpan>(
  tables: Tables,
  threads: ReadonlyMap<number, ThreadName>,
  spans: readonly S[],
): Promise<ReadonlyMap<S, Meanwhile>> {
  const found = new FrozenThreads(threads, spans);
  if (found.spans.length === 0) return found.meanwhile;
  const waits = found.spans.map(({ ts, te }) => ({ start: ts - 1, end: te }));
  const waitColumns = ['ts', 'utid', 'cause', 'waker_utid'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_ready_wait', waitColumns, waits)) {
    const wake = columns.cause.texts?.indexOf('wake') ?? -1;
    for (let row = 0; row < rowCount; row++) {
      const utid = columns.utid.values[row] ?? 0;
      if (!found.frozen.has(utid) || columns.cause.values[row] !== wake) continue;
      found.ready(utid, columns.ts.values[row] ?? 0, numberAt(columns.waker_utid, row));
    }
  }
  const runs = found.spans.map(({ ts, until_ts }) => ({ start: ts - 1, end: until_ts }));
  for await (const { rowCount, columns } of tables.batches('etw_run', ['ts', 'te', 'utid'], runs))
    for (let row = 0; row < rowCount; row++) {
      const utid = columns.utid.values[row] ?? 0;
      if (found.frozen.has(utid)) found.run(utid, columns.ts.values[row] ?? 0, columns.te.values[row] ?? 0);
    }
  return found.meanwhile;
}

/** The threads of frozen processes, and what is known of them so far. */
class FrozenThreads<S extends FrozenSpan> {
  readonly meanwhile: ReadonlyMap<S, Meanwhile>;
  /** Those of processes with threads, in the order of time. */
  readonly spans: readonly S[];
  /** Whose processes are frozen at times. */
  readonly frozen: KeySet;
  /** By thread, in the order of time. */
  readonly #spans = new Map<number, { readonly spans: readonly S[]; readonly until_ts: readonly number[] }>();

  constructor(threads: ReadonlyMap<number, ThreadName>, spans: readonly S[]) {
    this.meanwhile = new Map(
      spans.map((span) => [span, { ran_ns: 0, readied: new Set(), first_readied: null, first_run: null }]),
    );
    this.spans = spans.filter(({ upid }) => upid !== null).sort((a, b) => a.ts - b.ts);
    const ofProcess = new Map(
      [...group(this.spans, ({ upid }) => upid)].map(([upid, spans]) => [
        upid,
        { spans, until_ts: spans.map(({ until_ts }) => until_ts) },
      ]),
    );
    for (const [utid, { upid }] of threads) {
      const of = ofProcess.get(upid);
      if (of !== undefined) this.#spans.set(utid, of);
    }
    this.frozen = new KeySet(this.#spans.keys());
  }

  ready(utid: number, ts: number, waker_utid: number | null): void {
    for (const { span, seen } of this.#touched(utid, ts, ts)) {
      if (ts >= span.te) continue;
      seen.readied.add(utid);
      if (isFirst({ ts, utid }, seen.first_readied)) seen.first_readied = { ts, utid, waker_utid };
    }
  }

  run(utid: number, ts: number, te: number): void {
    for (const { span, seen } of this.#touched(utid, ts, te)) {
      seen.ran_ns += Math.max(0, Math.min(te, span.te) - Math.max(ts, span.ts));
      if (ts >= span.te && isFirst({ ts, utid }, seen.first_run)) seen.first_run = { ts, utid };
    }
  }

  /** The spans of a thread that last until after `ts`, and begin at `te` or before. */
  *#touched(utid: number, ts: number, te: number): Generator<{ span: S; seen: Meanwhile }> {
    const { spans = [], until_ts = [] } = this.#spans.get(utid) ?? {};
    for (let at = bisectRight(until_ts, ts); at < spans.length; at++) {
      const span = spans[at];
      const seen = span && this.meanwhile.get(span);
      if (span === undefined || seen === undefined || span.ts > te) return;
      yield { span, seen };
    }
  }
}

interface At {
  readonly ts: number;
  readonly utid: number;
}

/** Whether something comes before another thing; at one time the thread with the lower key is first. */
function isFirst(one: At, other: At | null): boolean {
  return other === null || one.ts < other.ts || (one.ts === other.ts && one.utid < other.utid);
}
