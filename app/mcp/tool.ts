import * as z from 'zod';
import { formatTime, readTime } from '../../shared/model/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { QuestionError } from '../questions/question-error.ts';
import type { Answer } from './answer.ts';
import { SIZE_BYTES } from './bound.ts';
import type { Asked } from './traces.ts';

/** What a tool is called with, as the shape of an object. */
export type Shape = z.ZodRawShape;

/** A tool: one question about an open trace. */
export interface Tool<S extends Shape = Shape> {
  readonly name: string;
  readonly title: string;
  /** When to call it, and what it gives. */
  readonly description: string;
  readonly takes: S;
  answer(trace: Asked, given: z.infer<z.ZodObject<S>>, say: (message: string) => void): Promise<Answer>;
}

/** A tool whatever it takes: what it is called with was checked by its shape. */
export type AnyTool = Omit<Tool, 'answer'> & {
  answer(trace: Asked, given: never, say: (message: string) => void): Promise<Answer>;
};

/** Infers what a tool takes. */
export function makeTool<const S extends Shape>(tool: Tool<S>): Tool<S> {
  return tool;
}

/** What every tool takes. */
export const COMMON = {
  trace: z
    .string()
    .max(4096)
    .optional()
    .describe('name or path of the trace; may be left out where the server was started with one trace'),
  max_bytes: z
    .number()
    .int()
    .min(SIZE_BYTES.least)
    .max(SIZE_BYTES.most)
    .default(SIZE_BYTES.usual)
    .describe('the longest answer'),
} satisfies Shape;

const time = z.union([z.number().int().nonnegative(), z.string().max(40)]);

/** A stretch of time. */
export const STRETCH = {
  from: time
    .optional()
    .describe('30.3s, 500ms or 20us from the start of the trace; or ns on its clock, as answers have them'),
  to: time.optional().describe('likewise; the end of the stretch'),
} satisfies Shape;

export const TID = z.number().int().min(0).max(0xffff_ffff);
export const HANDLE = z.string().max(12);

/** The time that an argument names, in ns on the trace clock. */
export function timeOf(name: string, given: number | string, start_ns: number): number {
  const time_ns = typeof given === 'number' ? given : readTime(given, start_ns);
  if (time_ns !== null) return time_ns;
  throw new QuestionError(`${name} takes a time such as "30.3s", or ns on the trace clock`);
}

/** The stretch that arguments name, within all of the trace. */
export function stretchOf(
  whole: TimeRange,
  { from, to }: { readonly from?: number | string | undefined; readonly to?: number | string | undefined },
): TimeRange {
  const start = from === undefined ? whole.start : timeOf('from', from, whole.start);
  const end = to === undefined ? whole.end : timeOf('to', to, whole.start);
  if (start < end) return { start, end };
  const ends = [whole.start, whole.end].map((ts) => formatTime(ts, whole.start)).join(' to ');
  throw new QuestionError(`from must be before to; the trace has ${ends}`);
}
