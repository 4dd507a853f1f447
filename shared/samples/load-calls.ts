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
  // A null is NaN as a number.
  const caller = Int32Array.from(tree.numbers('caller'), (id) => (Number.isNaN(id) ? -1 : id));
  const first = firstByPath(images);
  const image = Int32Array.from(frames.numbers('module'), (id) => first[id] ?? id);
  const rva = frames.numbers('rva');
  const same = firstByPlace(image, rva);
  const frame = Int32Array.from(tree.numbers('frame'), (id) => same[id] ?? id);
  return { caller, frame, image, rva, images, ...(await loadFunctions(query, frame, image)) };
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
function firstByPlace(image: Int32Array, rva: Float64Array): Int32Array {
  const ofImages = new Map<number, Map<number, number>>();
  return Int32Array.from(image, (of, frame) => {
    let places = ofImages.get(of);
    if (places === undefined) ofImages.set(of, (places = new Map<number, number>()));
    const place = rva[frame] ?? 0;
    const first = places.get(place);
    if (first !== undefined) return first;
    places.set(place, frame);
    return frame;
  });
}

async function loadFunctions(
  query: Query,
  frame: Int32Array,
  image: Int32Array,
): Promise<Pick<Calls, 'function' | 'functions'>> {
  const named = await query(functionsSql);
  const names = named.strings('function');
  const ids = new Map<string, number>();
  const functions: { name: string; image: number }[] = [];
  const functionOf = new Int32Array(image.length).fill(-1);
  named.numbers('callsite').forEach((callsite, row) => {
    const at = frame[callsite] ?? 0;
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
