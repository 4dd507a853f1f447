import * as v from 'valibot';
import type { OpenTrace } from './api.ts';

/** Reads {@link Told}. */
export const told = v.object({
  issues: v.array(
    v.object({
      name: v.string(),
      index: v.nullable(v.number()),
      severity: v.picklist(['error', 'data_loss']),
      value: v.number(),
      description: v.string(),
    }),
  ),
  summary: v.nullable(
    v.object({ range: v.object({ start: v.number(), end: v.number() }), cpuCount: v.number() }),
  ),
});

/** What an engine says of a trace that it has loaded. */
export type Told = Pick<OpenTrace, 'issues' | 'summary'>;
