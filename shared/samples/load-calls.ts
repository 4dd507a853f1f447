import type { Query } from '../engine/index.ts';
import callsSql from './calls.sql';
import framesSql from './frames.sql';
import functionsSql from './functions.sql';
import imagesSql from './images.sql';

/** The tree of calls of all stacks. Callsites and frames are indices; a callsite comes after its caller. */
export interface Calls {
  /** The caller of each callsite, −1 for the outermost. */
  readonly caller: Int32Array;
  /** The frame of each callsite. */
  readonly frame: Int32Array;
  /** The image of each frame. */
  readonly image: Int32Array;
  /** For each frame its address less that of the image; the address itself where no image is known. */
  readonly rva: Float64Array;
  /** The function of each frame, −1 without symbols. */
  readonly function: Int32Array;
  /** Path of each image, empty where none is known. */
  readonly images: readonly string[];
  /** Name and image of each function. */
  readonly functions: readonly { readonly name: string; readonly image: number }[];
}

const kept = new WeakMap<Query, Promise<Calls>>();

/** The tree of calls; the engine is asked once a trace. */
export function loadCalls(query: Query): Promise<Calls> {
  const before = kept.get(query);
  if (before !== undefined) return before;
  const calls = askForCalls(query);
  kept.set(query, calls);
  calls.catch(() => kept.delete(query));
  return calls;
}

async function askForCalls(query: Query): Promise<Calls> {
  const tree = await query(callsSql);
  const frames = await query(framesSql);
  const images = (await query(imagesSql)).strings('path').map((path) => path ?? '');
  const caller = integers(tree.numbers('caller'));
  const first = firstByPath(images);
  const image = integers(frames.numbers('module')).map((id) => first[id] ?? id);
  const rva = frames.numbers('rva');
  const same = firstByPlace(image, rva, first);
  const frame = integers(tree.numbers('frame')).map((id) => same[id] ?? id);
  return { caller, frame, image, rva, images, ...(await loadFunctions(query, same, image)) };
}

/** For each image the first one of the same file: it may be in memory at several addresses. */
function firstByPath(images: readonly string[]): readonly number[] {
  const first = new Map<string, number>();
  return images.map((path, image) => {
    if (!first.has(path)) first.set(path, image);
    return first.get(path) ?? image;
  });
}

/** For each frame the first one at the same place of the same image. */
function firstByPlace(image: Int32Array, rva: Float64Array, images: readonly number[]): Int32Array {
  // A frame is one place of a mapping: only what is mapped more than once can have two frames at the same place.
  const places = new Map<number, Map<number, number>>();
  images.forEach((first, id) => {
    if (first !== id) places.set(first, new Map<number, number>());
  });
  const isMappedOnce = images.map((first) => !places.has(first));
  const same = new Int32Array(image.length);
  for (let frame = 0; frame < same.length; frame++) {
    const of = image[frame] ?? 0;
    const at = isMappedOnce[of] === true ? undefined : places.get(of);
    const place = rva[frame] ?? 0;
    const first = at?.get(place);
    if (first === undefined) at?.set(place, frame);
    same[frame] = first ?? frame;
  }
  return same;
}

/** The integers of a column; what is null, which is NaN as a number, is −1. */
function integers(column: Float64Array): Int32Array {
  const found = new Int32Array(column.length);
  for (let row = 0; row < found.length; row++) {
    const value = column[row] ?? NaN;
    found[row] = Number.isNaN(value) ? -1 : value;
  }
  return found;
}

async function loadFunctions(
  query: Query,
  same: Int32Array,
  image: Int32Array,
): Promise<Pick<Calls, 'function' | 'functions'>> {
  const named = await query(functionsSql);
  const names = named.strings('function');
  const ids = new Map<string, number>();
  const functions: { name: string; image: number }[] = [];
  const functionOf = new Int32Array(image.length).fill(-1);
  named.numbers('frame').forEach((frame, row) => {
    const at = same[frame] ?? 0;
    if (functionOf[at] !== -1) return;
    const name = names[row] ?? '';
    const of = image[at] ?? 0;
    const key = `${of} ${name}`;
    const id = ids.get(key) ?? functions.push({ name, image: of }) - 1;
    ids.set(key, id);
    functionOf[at] = id;
  });
  return { function: functionOf, functions };
}
