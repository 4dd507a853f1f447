import { oncePerTrace, type Query } from '../engine/index.ts';
import { dataOf, filled, textAt, type Tables } from '../tables/index.ts';
import { firstByPlace } from './first-by-place.ts';
import { readWhole } from './read-whole.ts';
import symbolsSql from './symbols.sql';

/** The tree of calls of all stacks. Callsites and frames are indices; a callsite comes after its caller. */
export interface Calls {
  /** The caller of each callsite, −1 for the outermost. */
  readonly caller: Int32Array;
  /** The frame of each callsite. */
  readonly frame: Int32Array;
  /** The image of each frame. */
  readonly image: Int32Array;
  /** For each frame its address less that of the image; the address itself in generated code, and where no image is known. */
  readonly rva: Float64Array;
  /** The function of each frame, −1 without symbols. */
  readonly function: Int32Array;
  /** Path of each image, empty where none is known. Generated code, as that of .NET methods, has the path of what it is made from. */
  readonly images: readonly string[];
  /** Whether each image is none, but generated code. */
  readonly isGenerated: readonly boolean[];
  /** Name and image of each function. */
  readonly functions: readonly { readonly name: string; readonly image: number }[];
}

/** The tree of calls; read once a trace. */
export const loadCalls = oncePerTrace(readCalls);

async function readCalls(query: Query): Promise<Calls> {
  const { tables, outline, mayHaveSymbols } = dataOf(query);
  // Asked for at once, so that one is read while another is worked on.
  const [mappings, tree, places, methods, symbols] = await Promise.all([
    readMappings(tables),
    readWhole(tables, 'etw_callsite', { caller: Int32Array, frame: Int32Array }),
    readWhole(tables, 'etw_frame', { mapping: Int32Array, mapping_offset: Float64Array }),
    readMethods(tables),
    mayHaveSymbols ? readSymbols(outline) : [],
  ]);
  const { images, isGenerated } = mappings;
  const ofPath = firstByPath(images, isGenerated);
  const { mapping, mapping_offset: offset } = places.columns;
  const image = filled(new Int32Array(mapping.length), (frame) => ofPath[mapping[frame] ?? -1] ?? 0);
  const same = numbered(firstByPlace(image, offset, isGenerated));
  const { kept } = same;
  const rva = filled(new Float64Array(kept.length), (at) => offset[kept[at] ?? -1] ?? 0);
  const keptImage = filled(new Int32Array(kept.length), (at) => image[kept[at] ?? -1] ?? 0);
  const functions = new FunctionNames(keptImage);
  for (const { frame, name } of methods) functions.put(same.of[frame] ?? -1, name);
  putSymbols(functions, symbols, { images, image: keptImage, rva });
  const { caller, frame } = tree.columns;
  return {
    caller,
    frame: renumbered(frame, same.of),
    ...{ image: keptImage, rva, images, isGenerated },
    function: functions.of,
    functions: functions.all,
  };
}

/** Gives the frames of calls their numbers, in place. */
function renumbered(frame: Int32Array, numbers: Int32Array): Int32Array {
  for (let call = 0; call < frame.length; call++) frame[call] = numbers[frame[call] ?? 0] ?? 0;
  return frame;
}

async function readMappings(tables: Tables): Promise<Pick<Calls, 'images' | 'isGenerated'>> {
  const [images, isGenerated]: [string[], boolean[]] = [[], []];
  const names = ['mapping', 'module', 'is_image'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_mapping', names)) {
    for (let row = 0; row < rowCount; row++) {
      const mapping = columns.mapping.values[row] ?? 0;
      images[mapping] = textAt(columns.module, row) ?? '';
      isGenerated[mapping] = columns.is_image.values[row] === 0;
    }
  }
  return { images, isGenerated };
}

/** Frames that are in methods of .NET, whose names the recording has. */
async function readMethods(tables: Tables): Promise<{ readonly frame: number; readonly name: string }[]> {
  const methods = [];
  for await (const { rowCount, columns } of tables.batches('etw_frame_function', ['frame', 'function'])) {
    for (let row = 0; row < rowCount; row++)
      methods.push({ frame: columns.frame.values[row] ?? 0, name: textAt(columns.function, row) ?? '' });
  }
  return methods;
}

/** A function that symbols name at a place of a file. */
interface NamedPlace {
  readonly path: string;
  readonly rva: number;
  readonly name: string;
}

async function readSymbols(outline: Query): Promise<NamedPlace[]> {
  const rows = await outline(symbolsSql);
  const [paths, places, names] = [rows.strings('module'), rows.numbers('rva'), rows.strings('function')];
  return names.map((name, row) => ({ path: paths[row] ?? '', rva: places[row] ?? 0, name: name ?? '' }));
}

/** Frames have the functions that symbols name at their places. */
function putSymbols(
  functions: FunctionNames,
  symbols: readonly NamedPlace[],
  { images, image, rva }: Pick<Calls, 'images' | 'image' | 'rva'>,
): void {
  if (symbols.length === 0) return;
  const named = new Map<string, Map<number, string>>();
  for (const { path, rva, name } of symbols) {
    const ofFile = named.get(path) ?? new Map<number, string>();
    named.set(path, ofFile.set(rva, name));
  }
  const ofImage = images.map((path) => named.get(path));
  for (let frame = 0; frame < image.length; frame++) {
    const name = ofImage[image[frame] ?? 0]?.get(rva[frame] ?? 0);
    if (name !== undefined) functions.put(frame, name);
  }
}

/** The functions of frames: each is of an image. */
class FunctionNames {
  readonly all: { readonly name: string; readonly image: number }[] = [];
  /** The function of each frame, −1 for none. */
  readonly of: Int32Array;
  readonly #image: Int32Array;
  readonly #ids = new Map<string, number>();

  constructor(image: Int32Array) {
    this.#image = image;
    this.of = new Int32Array(image.length).fill(-1);
  }

  /** Names the function of a frame, unless it has one. */
  put(frame: number, name: string): void {
    if (this.of[frame] !== -1) return;
    const image = this.#image[frame] ?? 0;
    const key = `${image} ${name}`;
    const id = this.#ids.get(key) ?? this.all.push({ name, image }) - 1;
    this.#ids.set(key, id);
    this.of[frame] = id;
  }
}

/** Numbers from 0 on for what is its own first: that of each one's first, and which these are. */
function numbered(first: Int32Array): { readonly of: Int32Array; readonly kept: Int32Array } {
  const of = new Int32Array(first.length);
  const kept = new Int32Array(first.length);
  let count = 0;
  for (let at = 0; at < of.length; at++) {
    const before = first[at] ?? at;
    if (before === at) {
      kept[count] = at;
      of[at] = count++;
    } else of[at] = of[before] ?? 0;
  }
  return { of, kept: kept.subarray(0, count) };
}

/**
 * For each image the first one of the same file: it may be in memory at several addresses. Generated code has no place in
 * a file by which two of its frames could be the same.
 */
function firstByPath(images: readonly string[], isGenerated: readonly boolean[]): Int32Array {
  const first = new Map<string, number>();
  return Int32Array.from(images, (path, image) => {
    if (isGenerated[image] === true) return image;
    if (!first.has(path)) first.set(path, image);
    return first.get(path) ?? image;
  });
}
