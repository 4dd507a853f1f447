import type { Query } from '../../../shared/engine/index.ts';
import { putSymbols, type SymbolWatch } from './put.ts';
import type { SymbolReport } from './report.ts';
import { runSymbolizer } from './run.ts';

/** What is needed to load symbols. */
export interface SymbolOptions extends SymbolWatch {
  /** `outrank-symbols`: the binary, or its module of WebAssembly. */
  readonly symbolizer: string;
  readonly path: string;
  readonly cacheDir: string;
}

/** Looks for the symbols of all images in stacks, and puts them into `etw_symbol` in the place of those before. */
export function loadSymbols(query: Query, options: SymbolOptions): Promise<SymbolReport> {
  return putSymbols(query, (modules) => runSymbolizer({ ...options, modules }), options);
}
