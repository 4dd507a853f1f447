import { ascending } from 'd3';
import type { Query } from '../../../shared/engine/index.ts';
import {
  loadAllSamples,
  loadCalls,
  PlaceNumbers,
  sumByPlace,
  type Calls,
} from '../../../shared/samples/index.ts';
import { dataOf, readRows, type Tables } from '../../../shared/tables/index.ts';
import type { LakeRow } from '../tables.ts';

/** Places of samples that are kept of a trace. */
const PLACES = 200;
/** Without a function a place is so many bytes of code. */
const PLACE_BYTES = 256;

/** Where samples are, by the innermost call. */
interface Place {
  readonly process: string;
  readonly module: string | null;
  readonly function: string | null;
  readonly rva: number | null;
  readonly samples: number;
  readonly cpu_ns: number;
}

/** Where sampled CPU time went, most samples first; and how many places are left out. */
export async function hotFunctions(
  query: Query,
): Promise<{ readonly rows: readonly LakeRow<'hot_function'>[]; readonly leftOut: number }> {
  const { tables } = dataOf(query);
  const { places, count } = await fullestPlaces(query);
  const symbols = await readSymbols(tables);
  const rows = places
    .sort(
      (a, b) =>
        b.samples - a.samples ||
        ascending(a.process, b.process) ||
        nullsFirst(a.module, b.module) ||
        nullsFirst(a.function, b.function) ||
        nullsFirst(a.rva, b.rva),
    )
    .slice(0, PLACES)
    .map(({ process, module, rva, samples, cpu_ns, ...of }): LakeRow<'hot_function'> => {
      const { pdb = null, pdb_id = null } = symbols.get(module ?? '') ?? {};
      return {
        process,
        module: fileName(module),
        function: of.function,
        offset: rva,
        pdb: fileName(pdb),
        pdb_id,
        samples,
        cpu_ns: cpu_ns === 0 ? null : cpu_ns,
      };
    });
  return { rows, leftOut: count - rows.length };
}

/** The places that may be among those with most samples, and how many there are in all. */
async function fullestPlaces(query: Query): Promise<{ readonly places: Place[]; readonly count: number }> {
  const [samples, calls] = await Promise.all([loadAllSamples(query), loadCalls(query)]);
  const processes = await readProcessNames(dataOf(query).tables);
  const names = new Numbered<string>();
  const ownerOf = Int32Array.from(samples.kinds, ({ utid }) =>
    names.of(processes.get(utid) ?? 'unknown process'),
  );
  const sums = sumByPlace(samples, calls, ownerOf, framePlaces(calls));
  const counts = sums.samples.slice(0, sums.count).sort();
  const least = counts[sums.count - PLACES] ?? 0;
  const places: Place[] = [];
  for (let at = 0; at < sums.count; at++) {
    const own = sums.samples[at] ?? 0;
    // Only those that may be kept are named: there can be a thousand times as many.
    if (own < least) continue;
    const process = names.all[sums.owner[at] ?? 0] ?? '';
    const cpu_ns = sums.cpu_ns[at] ?? 0;
    places.push({ process, ...frameNames(calls, sums.frame[at] ?? -1), samples: own, cpu_ns });
  }
  return { places, count: sums.count };
}

function frameNames(calls: Calls, frame: number): Pick<Place, 'module' | 'function' | 'rva'> {
  const image = calls.image[frame] ?? -1;
  const path = calls.images[image] ?? '';
  const named = calls.functions[calls.function[frame] ?? -1]?.name ?? null;
  const hasPlace = named === null && calls.isGenerated[image] === false;
  return {
    module: path === '' ? null : path,
    function: named,
    rva: hasPlace ? Math.floor((calls.rva[frame] ?? 0) / PLACE_BYTES) * PLACE_BYTES : null,
  };
}

/** Numbers the places of frames: those of one place have the same names. */
function framePlaces(calls: Calls): (frame: number) => number {
  const numbers = new PlaceNumbers();
  const [paths, functions] = [new Numbered<string | null>(), new Numbered<string | null>()];
  return (frame) => {
    const { module, function: named, rva } = frameNames(calls, frame);
    // Functions, and what has no place, lie before all places.
    return numbers.of(paths.of(module), rva ?? -1 - functions.of(named));
  };
}

/** Numbers values in the order in which they come first. */
class Numbered<T> {
  readonly all: T[] = [];
  readonly #numbers = new Map<T, number>();

  of(value: T): number {
    let number = this.#numbers.get(value);
    if (number === undefined) this.#numbers.set(value, (number = this.all.push(value) - 1));
    return number;
  }
}

async function readProcessNames(tables: Tables): Promise<ReadonlyMap<number, string>> {
  const rows = await readRows(tables, 'etw_thread', ['utid', 'process_name']);
  return new Map(
    rows.flatMap(({ utid, process_name }) =>
      process_name === null ? [] : [[Number(utid), String(process_name)] as const],
    ),
  );
}

/** The symbols of an image. */
interface Symbols {
  readonly pdb: string;
  readonly pdb_id: string | null;
}

/** The symbols of images by path, of several the least by its text. */
async function readSymbols(tables: Tables): Promise<ReadonlyMap<string, Symbols>> {
  const found = new Map<string, Symbols>();
  const least = <T extends string | null>(a: T, b: T) => (a === null || (b !== null && b < a) ? b : a);
  for (const { path, pdb, guid, age } of await readRows(tables, 'etw_image', [
    'path',
    'pdb',
    'guid',
    'age',
  ])) {
    if (pdb === null) continue;
    const own = {
      pdb: String(pdb),
      pdb_id: guid === null || age === null ? null : `${guid}${Number(age).toString(16)}`.replaceAll('-', ''),
    };
    const known = found.get(String(path)) ?? own;
    found.set(String(path), { pdb: least(known.pdb, own.pdb), pdb_id: least(known.pdb_id, own.pdb_id) });
  }
  return found;
}

function fileName(path: string | null): string | null {
  return path?.split(/[\\/]/).at(-1) ?? null;
}

function nullsFirst<T extends string | number>(a: T | null, b: T | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return ascending(a, b);
}
