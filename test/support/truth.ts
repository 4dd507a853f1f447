import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { demo } from './places.ts';

const Truth = v.object({
  cpu_count: v.number(),
  ticks_per_second: v.number(),
  start_ticks: v.number(),
  events: v.number(),
  context_switches: v.number(),
  ready_threads: v.number(),
  wait: v.object({
    tid: v.number(),
    pid: v.number(),
    process: v.string(),
    waker_tid: v.number(),
    waker_pid: v.number(),
    waker_in_dpc: v.boolean(),
    last_switch_out_ticks: v.number(),
    ready_ticks: v.number(),
    switch_in_ticks: v.number(),
    cpu: v.number(),
    priority: v.number(),
    rank: v.number(),
  }),
});

/** What `outrank-synth` says of the demo that it wrote; ticks are raw timestamps. */
export type Truth = v.InferOutput<typeof Truth>;

/** Reads the truth of the demo. */
export function readTruth(): Truth {
  return v.parse(Truth, JSON.parse(readFileSync(demo.truth, 'utf8')));
}

/** `ts` of the log file header's event in every converted trace, in ns. */
export const HEADER_TS = 1_000_000_000;

/** The raw timestamp from which a trace's `ts` was made: within a tick, the converter may have moved it. */
export function ticksOf(ts: number, { ticks_per_second, start_ticks }: Truth): number {
  return start_ticks + Math.floor(((ts - HEADER_TS) * ticks_per_second) / 1e9);
}
