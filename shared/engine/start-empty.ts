import { makeQuery } from './bind.ts';
import type { Query } from './engine.ts';
import { EtwTables } from './etw-tables.ts';
import { TraceProcessor } from './processor.ts';

/** An engine in this thread with an empty trace, for what is true of any: which tables and columns there are. */
export async function startEmpty(wasm: WebAssembly.Module): Promise<Query> {
  const processor = await TraceProcessor.start(wasm);
  processor.finalize();
  const tables = new EtwTables(processor);
  return makeQuery(async (sql) => Promise.resolve(tables.query(sql)));
}
