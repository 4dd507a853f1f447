import type { Query } from '../engine/index.ts';
import samplesSql from './samples.sql';

/** What a CPU was at when it was sampled. */
export const MODES = ['user', 'kernel', 'dpc', 'isr'] as const;
export type Mode = (typeof MODES)[number];

/** Samples as columns, in the order of time; those of the idle thread are left out. */
export interface Samples {
  readonly count: number;
  readonly ts: Float64Array;
  readonly utid: Float64Array;
  /** The innermost call of the stack. */
  readonly callsite: Float64Array;
  /** As in the package `etw`: rank (8 bits), priority (5), whether it was recorded, in DPC, in ISR, interval in 100 ns. */
  readonly value: Float64Array;
  readonly isKernel: Float64Array;
}

interface Kept {
  readonly key: string;
  readonly samples: Samples;
}

const kept = new WeakMap<Query, Kept>();

/** The samples from `start` on and before `end`, in ns. Asks the engine only if another stretch was asked for before. */
export async function loadSamples(
  query: Query,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<Samples> {
  const bounds = { range_start: Math.floor(start), range_end: Math.ceil(end) };
  const key = `${bounds.range_start} ${bounds.range_end}`;
  const before = kept.get(query);
  if (before?.key === key) return before.samples;
  const rows = await query(samplesSql, bounds);
  const samples = {
    count: rows.rowCount,
    ts: rows.numbers('ts'),
    utid: rows.numbers('utid'),
    callsite: rows.numbers('callsite'),
    value: rows.numbers('value'),
    isKernel: rows.numbers('is_kernel'),
  };
  kept.set(query, { key, samples });
  return samples;
}

/** The thread's rank; null where it was not recorded. */
export function rankOf({ value }: Samples, row: number): number | null {
  const rank = (value[row] ?? 255) & 255;
  return rank === 255 ? null : rank;
}

/** The thread's priority; null where it was not recorded. */
export function priorityOf({ value }: Samples, row: number): number | null {
  const low = (value[row] ?? 0) & 0xffff;
  return low & 0x2000 ? (low >> 8) & 31 : null;
}

/** What the CPU was at. Code of a DPC or an ISR is kernel code too, and counts as neither. */
export function modeOf({ value, isKernel }: Samples, row: number): Mode {
  const low = (value[row] ?? 0) & 0xffff;
  if (low & 0x8000) return 'isr';
  if (low & 0x4000) return 'dpc';
  return isKernel[row] === 1 ? 'kernel' : 'user';
}

/** CPU time that the sample stands for, in ns; 0 where no interval was recorded. */
export function weightOf({ value }: Samples, row: number): number {
  return Math.floor((value[row] ?? 0) / 0x1_0000) * 100;
}
