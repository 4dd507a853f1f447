import { EngineError, type LoadIssue, type LoadReport } from './engine.ts';
import { decodeQueryResult } from './decode.ts';
import type { TraceProcessor } from './processor.ts';
import { messageOf } from '../model/message.ts';

/** The bytes of a trace. */
export interface TraceSource {
  /** What messages call it. */
  readonly name: string;
  readonly sizeBytes: number;
  /** All bytes in their order. A chunk may be changed when the next one is asked for. */
  chunks(): AsyncIterable<Uint8Array>;
}

const ISSUES_SQL = `
  SELECT name, idx, severity, value, description FROM stats
  WHERE severity IN ('error', 'data_loss') AND value > 0 ORDER BY name, idx`;

/**
 * 1 for a whole trace of the converter, and for a trace of another tool, which has no marker to look for. A file that
 * gave nothing at all was cut near its start, whoever wrote it.
 */
const COMPLETE_SQL = `
  SELECT EXISTS (SELECT 1 FROM slice WHERE name = 'etw.end')
    OR (
      NOT EXISTS (SELECT 1 FROM track WHERE name IN ('etw', 'etw.trace'))
      AND (EXISTS (SELECT 1 FROM track) OR EXISTS (SELECT 1 FROM sched))
    ) AS complete`;

const NO_TRACE = 'no Perfetto trace: its first bytes (offset 0) are of no known kind';

/** Loads a Perfetto trace in chunks. */
export async function loadTrace(
  processor: TraceProcessor,
  source: TraceSource,
  onProgress: (fraction: number) => void,
): Promise<LoadReport> {
  await parse(processor, source, onProgress);
  const issues = rows(processor, ISSUES_SQL).map((row): LoadIssue => ({
    name: String(row.name),
    index: typeof row.idx === 'number' ? row.idx : null,
    severity: row.severity === 'data_loss' ? 'data_loss' : 'error',
    value: Number(row.value),
    description: String(row.description),
  }));
  const complete = rows(processor, COMPLETE_SQL)[0]?.complete === 1;
  return { issues, complete };
}

/** Begins without a trace. */
export function loadNone(processor: TraceProcessor): LoadReport {
  processor.finalize();
  return { issues: [], complete: true };
}

async function parse(
  processor: TraceProcessor,
  source: TraceSource,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { name, sizeBytes } = source;
  const refuse = (why: string) => new EngineError('load', `${name}: ${why}`);
  if (sizeBytes === 0) throw refuse('the file is empty');
  let readBytes = 0;
  try {
    for await (const chunk of source.chunks()) {
      processor.append(chunk);
      readBytes += chunk.length;
      // A file that grows meanwhile never shows more than all.
      onProgress(Math.min(readBytes / sizeBytes, 1));
    }
    processor.finalize();
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'crashed') throw error;
    abandon(processor);
    const why = words(error);
    throw refuse(why.includes('Unknown trace type') ? NO_TRACE : `after byte ${readBytes}: ${why}`);
  }
}

/** Ends a trace that cannot be read on, so that the next one can begin. */
function abandon(processor: TraceProcessor): void {
  try {
    processor.finalize();
  } catch {
    // The reason is known already.
  }
}

function rows(processor: TraceProcessor, sql: string) {
  return [...decodeQueryResult(processor.query(sql)).rows()];
}

/** An error's message without the marks that trace_processor and Node add for programs. */
export function words(error: unknown): string {
  const message = messageOf(error);
  return message.replace(/ \(ERR:[\w-]+\)/g, '').replace(/, (open|read|stat|fstat)( '.*')?$/, '');
}
