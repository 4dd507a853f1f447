import type { Query } from '../../../shared/engine/index.ts';
import type { ModuleSymbols, SymbolProgress, SymbolReport } from './report.ts';
import { addSymbols, clearSymbols, type Symbol } from './table.ts';
import type { Symbolize } from './talk.ts';
import { loadWanted, type WantedModule } from './wanted.ts';

/** Progress and cancel of a search. */
export interface SymbolWatch {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: SymbolProgress) => void) | undefined;
}

/** Symbols that are handed to the engine at once. */
const ADDED_AT_ONCE = 50_000;
const NO_IDENTITY =
  'the trace does not tell which build it is: merge the recording where it was made (wpr -stop, xperf -merge)';

/** Looks for the symbols of all images in stacks, and puts them into `etw_symbol` in the place of those before. */
export async function putSymbols(
  query: Query,
  symbolize: Symbolize,
  { onProgress, signal }: SymbolWatch,
): Promise<SymbolReport> {
  const wanted = await loadWanted(query);
  const reports = wanted.map(emptyReport);
  const modules = wanted.filter(({ guid, pdb }) => guid !== null && pdb !== null);
  const places = modules.map(framesByRva);
  const progress = { done: 0, total: modules.length, download: null };
  onProgress?.(progress);

  let symbols: Symbol[] = [];
  await clearSymbols(query);
  const add = async () => {
    signal?.throwIfAborted();
    await addSymbols(query, symbols);
    symbols = [];
  };
  for await (const said of symbolize(modules)) {
    const wantedModule = modules[said.module];
    const report = wantedModule && reports[wanted.indexOf(wantedModule)];
    if (report === undefined) continue;
    if ('symbols' in said) {
      for (const { rva, function: name, file = null, line = null } of said.symbols) {
        const frames = places[said.module]?.get(rva) ?? [];
        for (const frame of frames) symbols.push([frame, name, file, line]);
        report.named += frames.length;
      }
      if (symbols.length >= ADDED_AT_ONCE) await add();
    } else if ('download' in said) {
      const { url, bytes, total_bytes: totalBytes } = said.download;
      onProgress?.({ ...progress, download: { url, bytes, totalBytes } });
    } else {
      if ('found' in said) report.found = said.found;
      else report.reasons = said.missing;
      progress.done += 1;
      onProgress?.({ ...progress });
    }
  }
  await add();
  return { modules: reports };
}

function emptyReport({ path, pdb, guid, samples, addresses }: WantedModule): ModuleSymbols {
  const reasons = guid === null || pdb === null ? [NO_IDENTITY] : [];
  const name = pdb?.split(/[\\/]/).at(-1) ?? null;
  return { path, pdb: name, samples, addresses: addresses.length, named: 0, found: null, reasons };
}

/** An image at several addresses has several frames at the same place of it. */
function framesByRva({ addresses }: WantedModule): ReadonlyMap<number, readonly number[]> {
  const frames = new Map<number, number[]>();
  for (const { rva, frame } of addresses) {
    const known = frames.get(rva);
    if (known === undefined) frames.set(rva, [frame]);
    else known.push(frame);
  }
  return frames;
}
