import * as v from 'valibot';

/**
 * The most context switches that the engine holds with the tables that the views share: its memory is the 4 GiB of a
 * 32-bit WASM program. `OUTRANK_MAX_SWITCHES` sets another limit.
 */
export const ENGINE_MAX_SWITCHES = 9_000_000;

/** What is known of a trace that is not loaded, so that a part of it can be chosen. */
const overview = v.object({
  limit: v.number(),
  duration_ns: v.number(),
  context_switches: v.number(),
  choices: v.array(v.object({ kind: v.string(), count: v.number() })),
  timeline: v.object({
    bucket_ns: v.number(),
    events: v.array(v.number()),
    context_switches: v.array(v.number()),
    busy: v.array(v.number()),
  }),
});

/** Counts of a trace, and its CPU use in buckets of equal width from the recording's start on (`busy`: 0 to 1). */
export type TraceOverview = v.InferOutput<typeof overview>;

/** What `outrank-convert info --json` prints, as far as it is used here. */
const info = v.object({
  clock: v.object({ duration_ns: v.number() }),
  selection: v.object({ context_switches: v.number() }),
  choices: overview.entries.choices,
  timeline: overview.entries.timeline,
});

/** Reads what the converter prints of a trace with too many context switches; null if it is not that. */
export function readInfo(text: string, limit: number): TraceOverview | null {
  try {
    const { clock, selection, choices, timeline } = v.parse(info, JSON.parse(text));
    const { duration_ns } = clock;
    return { limit, duration_ns, context_switches: selection.context_switches, choices, timeline };
  } catch {
    return null;
  }
}

/** Reads an overview from a message; null if it is none. */
export function readOverview(value: unknown): TraceOverview | null {
  const result = v.safeParse(overview, value);
  return result.success ? result.output : null;
}

/** The limit that is set from outside, or the engine's own. */
export function maxSwitches(given: string | undefined): number {
  return given !== undefined && /^\d{1,15}$/.test(given) ? Number(given) : ENGINE_MAX_SWITCHES;
}
