import * as v from 'valibot';

/**
 * What events may take of the engine's memory, which is the 4 GiB of a 32-bit WASM program: the rest is for the answers.
 * `OUTRANK_ENGINE_BYTES` sets another limit.
 */
const ENGINE_BYTES = 3_000_000_000;

/**
 * What an event of each kind takes of the engine's memory, with the tables that the views share, in bytes: measured as the
 * growth of the process by synthetic loads and a real trace. A stack takes 4300 if it is like no other, and little if it is
 * like others: of 79,528 samples of the real trace one in seven had a new one. Where all are new, what the engine keeps of
 * them until the converter begins anew is up to 0.2 GB beyond what is counted here, which the limit leaves room for.
 * Scheduling takes 245 where a third of the switches is to idle, and 325 in a storm where each ends a ready wait:
 * between them, since a storm of what fits must not end the engine.
 */
const ENGINE_BYTES_OF: Readonly<Record<string, number>> = {
  scheduling: 260,
  samples: 300,
  stacks: 1500,
  images: 3500,
  interrupts: 150,
  io: 400,
  memory: 400,
  network: 400,
  registry: 400,
  kernel: 400,
  generic: 300,
};

/** The options that make the converter refuse more than the engine holds. What is written as columns, no engine holds. */
export function limitArguments(limit_bytes: number): string[] {
  const costs = Object.entries(ENGINE_BYTES_OF).map(([kind, bytes]) => `${kind}=${bytes}`);
  return [`--max-cost=${limit_bytes}`, `--cost=${costs.join(',')}`];
}

/** What is known of a trace that is not loaded, so that a part of it can be chosen. */
const overview = v.object({
  limit_bytes: v.number(),
  duration_ns: v.number(),
  choices: v.array(v.object({ kind: v.string(), count: v.number(), engine_bytes: v.number() })),
  timeline: v.object({
    bucket_ns: v.number(),
    events: v.array(v.number()),
    context_switches: v.array(v.number()),
    busy: v.array(v.number()),
  }),
});

/** Counts of a trace, what it takes of the engine, and its CPU use in buckets of equal width from the recording's start on (`busy`: 0 to 1). */
export type TraceOverview = v.InferOutput<typeof overview>;

/** What `outrank-convert info --json` prints, as far as it is used here. */
const info = v.object({
  clock: v.object({ duration_ns: v.number() }),
  choices: v.array(v.object({ kind: v.string(), count: v.number() })),
  timeline: overview.entries.timeline,
});

/** Reads what the converter prints of a trace that is too large for the engine; null if it is not that. */
export function readInfo(text: string, limit_bytes: number): TraceOverview | null {
  try {
    const { clock, choices, timeline } = v.parse(info, JSON.parse(text));
    const { duration_ns } = clock;
    const weighed = choices.map(({ kind, count }) => {
      return { kind, count, engine_bytes: count * (ENGINE_BYTES_OF[kind] ?? 0) };
    });
    return { limit_bytes, duration_ns, choices: weighed, timeline };
  } catch {
    return null;
  }
}

/** Reads an overview from a message; null if it is none. */
export function readOverview(value: unknown): TraceOverview | null {
  const result = v.safeParse(overview, value);
  return result.success ? result.output : null;
}

/** The part of an engine's memory that a trace may take by the estimate; tables and queries want the rest. */
const SHARE = 0.8;

/** The limit that is set from outside, or the engine's own; less where the engine may take less memory in all. */
export function engineBytes(given?: string, memoryBytes = Infinity): number {
  const most = given !== undefined && /^\d{1,15}$/.test(given) ? Number(given) : ENGINE_BYTES;
  return Math.min(most, Math.floor(SHARE * memoryBytes));
}
