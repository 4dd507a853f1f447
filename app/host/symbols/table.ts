import type { Query } from '../../../shared/engine/index.ts';
import addByPlaceSql from './add-by-place.sql';
import addSql from './add.sql';
import allSql from './all.sql';
import clearSql from './clear.sql';

/** A row of `etw_symbol`. */
export type Symbol = readonly [frame: number, name: string, file: string | null, line: number | null];

/** Rows that are copied at once. */
const COPIED_AT_ONCE = 50_000;

/** Empties `etw_symbol`. */
export async function clearSymbols(query: Query): Promise<void> {
  await query(clearSql);
}

/** Adds rows to `etw_symbol`. */
export async function addSymbols(query: Query, symbols: readonly Symbol[]): Promise<void> {
  if (symbols.length > 0) await query(addSql, { symbols: JSON.stringify(symbols) });
}

/** Gives an engine the symbols of another one of the same trace. */
export async function copySymbols(from: Query, to: Query): Promise<void> {
  await clearSymbols(to);
  const symbols = [...(await from(allSql)).rows()].map((row) => Object.values(row));
  for (let first = 0; first < symbols.length; first += COPIED_AT_ONCE)
    await to(addByPlaceSql, { symbols: JSON.stringify(symbols.slice(first, first + COPIED_AT_ONCE)) });
}
