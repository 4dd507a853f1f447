import * as z from 'zod';
import { formatTime, lackOfUnit, readTime } from '../../shared/model/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { QuestionError } from '../questions/question-error.ts';
import type { OpenTrace } from '../host/api.ts';
import type { Answer, NextCall } from './answer.ts';
import { SIZE_BYTES } from './bound.ts';
import type { AskedLake } from './lakes.ts';
import type { AskedTrace, TakeTrace } from './traces.ts';

/** What a tool is called with, as the shape of an object. */
export type Shape = z.ZodRawShape;

/** What a tool may ask, for one call. */
export interface Sources {
  readonly trace: TakeTrace;
  /** The names of the traces that the server was started with. */
  readonly names: readonly string[];
  /** Lets `use` ask a lake. */
  lake<T>(name: string | undefined, use: (lake: AskedLake) => Promise<T>): Promise<T>;
}

/** An answer, and of what it is. */
export interface Told extends Answer {
  /** The name of the trace or lake, which is data; empty for several. */
  readonly of: string;
  /** The trace that a link opens; absent where no link can be. */
  readonly opened?: OpenTrace;
}

/** A question that an assistant can ask. */
export interface Tool<S extends Shape = Shape> {
  readonly name: string;
  readonly title: string;
  /** When to call it, and what it gives. */
  readonly description: string;
  readonly takes: S;
  answer(sources: Sources, given: z.infer<z.ZodObject<S>>, say: (message: string) => void): Promise<Told>;
}

/** A tool whatever it takes: what it is called with was checked by its shape. */
export type AnyTool = Omit<Tool, 'answer'> & {
  answer(sources: Sources, given: never, say: (message: string) => void): Promise<Told>;
};

/** Infers what a tool takes. */
export function makeTool<const S extends Shape>(tool: Tool<S>): Tool<S> {
  return tool;
}

/** A tool about one trace: calls that may follow ask the same one. */
interface TraceTool<S extends Shape> extends Omit<Tool<S>, 'answer'> {
  answer(trace: AskedTrace, given: z.infer<z.ZodObject<S>>, say: (message: string) => void): Promise<Answer>;
}

/** Makes a tool that takes `trace`, which is open when it answers. */
export function makeTraceTool<const S extends Shape>(tool: TraceTool<S>): AnyTool {
  return {
    ...tool,
    takes: { ...ONE_TRACE, ...tool.takes },
    async answer(sources, given, say) {
      const { trace: name } = given as { readonly trace?: string };
      const trace = await sources.trace(name);
      const told = await tool.answer(trace, given, say);
      return {
        ...told,
        next: (told.next ?? []).map((call) => sameTrace(call, name)),
        of: trace.opened.name,
        opened: trace.opened,
      };
    },
  };
}

/** A call about the trace that the caller named. */
export function sameTrace(call: NextCall, trace: string | undefined): NextCall {
  return trace === undefined ? call : { ...call, arguments: { trace, ...call.arguments } };
}

const ONE_TRACE = {
  trace: z
    .string()
    .max(4096)
    .optional()
    .describe('name or path of the trace; may be left out where the server was started with one trace'),
} satisfies Shape;

/** What every tool takes. */
export const COMMON = {
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

/** The values of params, by name. */
export const PARAMS = z.record(
  z.string().max(64),
  z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]),
);

/** How many rows are wanted. */
export const TOP = z
  .number()
  .int()
  .min(1)
  .max(10_000)
  .optional()
  .describe('how many rows of each table; as many as fit if left out');

export const TID = z.number().int().min(0).max(0xffff_ffff);
export const HANDLE = z.string().max(12);

/** The time that an argument names, in ns on the trace clock. */
export function timeOf(name: string, given: number | string, start_ns: number): number {
  const lack = lackOfUnit(name, String(given), start_ns);
  if (lack !== null) throw new QuestionError(lack);
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
