import { open, readFile } from 'node:fs/promises';
import { etwModules } from '../../sql/index.ts';
import { startProcessor } from "./start.ts"; import { decodeQueryResult } from "../decode.ts";
export async function bench(path: string, sqlPath: string, mods = 'etw.run'): Promise<void> {
  const processor = await startProcessor();
  const t = Date.now();
  const file = await open(path);
  const chunk = new Uint8Array(1 << 20);
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, 1 << 20);
    if (bytesRead === 0) break;
    processor.append(chunk.subarray(0, bytesRead));
  }
  processor.finalize();
  processor.register('etw', etwModules);
  console.log('load', Date.now() - t, (processor.heapBytes / 2 ** 20).toFixed());
  for (const name of mods.split(',')) {
    const b = process.cpuUsage();
    processor.query(`INCLUDE PERFETTO MODULE ${name};`);
    const { user } = process.cpuUsage(b);
    console.log(name, (user / 1000).toFixed(), 'ms', (processor.heapBytes / 2 ** 20).toFixed());
  }
  const text = await readFile(sqlPath, 'utf8');
  for (const sql of text.split('\n---\n')) {
    const b = process.cpuUsage();
    try {
      const bytes = processor.query(sql); const dec = decodeQueryResult(bytes); for (const c of dec.columns) { try { dec.numbers(c); } catch {} } const rows = { length: dec.rowCount, 0: dec.rowCount > 0 ? dec.columns.map((_, i) => dec.cell(0, i)) : null };
      const { user } = process.cpuUsage(b);
      console.log(sql.slice(0, 90).replaceAll('\n', ' '), '=>', (user / 1000).toFixed(), 'ms', (processor.heapBytes / 2 ** 20).toFixed(), rows.length, JSON.stringify(rows[0] ?? null), bytes.length);
    } catch (error) { console.log('ERR', sql.slice(0, 80), String(error)); }
  }
}
