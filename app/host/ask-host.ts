import type { Host, TraceId } from './api.ts';
import type { Wish } from './model-source/index.ts';

/** Asks an open trace of a host what a model wishes for; the answer's own bytes. */
export function askHost(
  host: Pick<Host, 'query' | 'queryOutline' | 'readTable'>,
  id: TraceId,
  wish: Wish,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  if (wish.kind === 'table') return host.readTable(id, ...wish.which);
  return wish.of === 'outline' ? host.queryOutline(id, wish.sql, signal) : host.query(id, wish.sql, signal);
}
