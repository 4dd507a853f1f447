import { oncePerTrace } from '../../engine/index.ts';
import { numberAt, type Tables } from '../../tables/index.ts';
import { loadMachine, type Machine } from './machine.ts';

/** Since when the runs of each CPU are recorded, and what is lost meanwhile. */
export interface CpuRecord {
  /** When the first run of each CPU begins, even if it is not known what ran; infinite where the CPU has none. */
  readonly first_run_ts: Float64Array;
  /** When events of a CPU are missing; they may overlap. */
  readonly losses: readonly { readonly cpu: number; readonly ts: number; readonly te: number }[];
}

/** What is recorded of each CPU of a trace. */
export const loadCpuRecord = oncePerTrace(async (tables: Tables): Promise<CpuRecord> => {
  const first_run_ts = await firstRuns(tables, await loadMachine(tables));
  return { first_run_ts, losses: await loadLosses(tables) };
});

/** Most traces tell it in their first batch. */
async function firstRuns(tables: Tables, { cpu_count, unknown_ts }: Machine): Promise<Float64Array> {
  const first = new Float64Array(cpu_count).fill(Infinity);
  let unseen = cpu_count;
  for await (const { rowCount, columns } of tables.batches('etw_run', ['ts', 'cpu'])) {
    for (let row = 0; row < rowCount && unseen > 0; row++) {
      const cpu = columns.cpu.values[row] ?? 0;
      if (first[cpu] !== Infinity) continue;
      first[cpu] = columns.ts.values[row] ?? 0;
      unseen--;
    }
    if (unseen <= 0) break;
  }
  return first.map((ts, cpu) => Math.min(ts, unknown_ts[cpu] ?? Infinity));
}

/** The times when events are missing, each with its CPU. */
export async function loadLosses(tables: Tables): Promise<CpuRecord['losses']> {
  const found = [];
  for await (const { rowCount, columns } of tables.batches('etw_loss', ['ts', 'dur', 'cpu'])) {
    for (let row = 0; row < rowCount; row++) {
      const cpu = numberAt(columns.cpu, row);
      const ts = columns.ts.values[row] ?? 0;
      const dur = columns.dur.values[row] ?? 0;
      if (cpu !== null && dur > 0) found.push({ cpu, ts, te: ts + dur });
    }
  }
  return found;
}
