import { dataOf, numberAt, textAt } from '../../tables/index.ts';
import { fileOf, nullIf, type Draw, type DrawnRow } from './draw.ts';

/** The long calls of a routine. The longest call is reported. */
interface Calls {
  readonly kind: string;
  readonly routine: number | null;
  calls: number;
  sum_ns: number;
  ts: number;
  dur: number;
  cpu: number | null;
  module: string | null;
  rva: number | null;
}

const COLUMNS = ['ts', 'dur', 'cpu', 'kind', 'routine', 'module', 'rva'] as const;
const WORDS: Readonly<Record<string, string>> = { isr: 'An ISR', timer_dpc: 'A timer DPC' };
/** It is a thread's work: it can be preempted. */
const THREADED = 'threaded_dpc';

export const longInterrupt: Draw = async ({ query }, threshold) => {
  const found = new Map<string, Calls>();
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_interrupt', COLUMNS)) {
    const { values: lengths } = columns.dur;
    for (let row = 0; row < rowCount; row++) {
      const dur = lengths[row] ?? 0;
      if (dur < threshold) continue;
      const kind = textAt(columns.kind, row) ?? '';
      if (kind === THREADED) continue;
      const routine = numberAt(columns.routine, row);
      const key = `${kind} ${routine}`;
      const none = { calls: 0, sum_ns: 0, ts: 0, dur: -1, cpu: null, module: null, rva: null };
      const of = found.get(key) ?? { kind, routine, ...none };
      found.set(key, of);
      of.calls++;
      of.sum_ns += dur;
      const ts = columns.ts.values[row] ?? 0;
      if (dur < of.dur || (dur === of.dur && ts >= of.ts)) continue;
      of.ts = ts;
      of.dur = dur;
      of.cpu = numberAt(columns.cpu, row);
      of.module = textAt(columns.module, row);
      of.rva = numberAt(columns.rva, row);
    }
  }
  return [...found.values()].map(({ kind, calls, sum_ns, ts, dur, cpu, module, rva }): DrawnRow => ({
    ...{ ts, dur, utid: null, upid: null, seconds_lost: sum_ns / 1e9, lost_ns: sum_ns, cpu },
    more: nullIf(calls - 1, 0),
    what: WORDS[kind] ?? 'A DPC',
    image: module === null ? 'an unknown driver' : fileOf(module),
    offset: rva === null ? null : rva.toString(16),
  }));
};
