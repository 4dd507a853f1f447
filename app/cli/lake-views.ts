import { parseArgs } from 'node:util';
import { ENGINES, Lake, viewsSql } from '../fleet/index.ts';
import { choice, only } from './command.ts';
import { print } from './terminal.ts';

/** `outrank lake views`: the statements that make a lake known to an engine. */
export async function lakeViews(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { engine: { type: 'string', default: 'duckdb' } },
  });
  const engine = choice('engine', values.engine, ENGINES);
  const { storage } = await Lake.open(only(positionals, 'LAKE'));
  await print(viewsSql(storage.address, engine).map((statement) => `${statement};\n\n`));
  return 0;
}
