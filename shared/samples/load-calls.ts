import { halvesOf, oncePerTrace, type Query, type QueryResult } from '../engine/index.ts';
import callsSql from './calls.sql';
import { firstByPlace } from './first-by-place.ts';
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

/** The tree of calls; the engine is asked once a trace. */
export const loadCalls = oncePerTrace(askForCalls);

async function askForCalls(query: Query): Promise<Calls> {
  // Asked for at once, so that the engine works on one while another is read.
  const [tree, frames, imageRows, names] = await Promise.all([
    query(callsSql),
    query(framesSql),
    query(imagesSql),
    query(functionsSql),
  ]);
  const images = imageRows.strings('path').map((path) => path ?? '');
  const isGenerated = [...imageRows.numbers('is_generated')].map((is) => is === 1);
  const { lower: caller, upper: frame } = halvesOf(tree, 'call');
  const { lower, upper: image } = halvesOf(frames, 'place');
  const upper = new Int32Array(lower.length);
  const far = halvesOf(frames, 'far');
  far.upper.forEach((at, row) => (upper[at] = far.lower[row] ?? 0));
  for (let at = 0; at < caller.length; at++) {
    const before = caller[at] ?? 0;
    caller[at] = before === 0 ? -1 : at - before;
  }
  const ofPath = firstByPath(images, isGenerated);
  for (let at = 0; at < image.length; at++) image[at] = ofPath[image[at] ?? 0] ?? 0;
  // A frame is one place of a mapping: only where a file is mapped more than once can two be at the same place of it.
  const shared = images.map(() => false);
  ofPath.forEach((first, id) => {
    if (first !== id) shared[first] = true;
  });
  const same = shared.includes(true) ? numbered(firstByPlace(image, lower, upper, shared)) : null;
  if (same !== null) {
    for (let at = 0; at < frame.length; at++) frame[at] = same.of[frame[at] ?? 0] ?? 0;
  }
  const count = same?.kept.length ?? image.length;
  const rva = new Float64Array(count);
  const keptImage = new Int32Array(count);
  for (let id = 0; id < count; id++) {
    const at = same?.kept[id] ?? id;
    rva[id] = (upper[at] ?? 0) * 2 ** 32 + ((lower[at] ?? 0) >>> 0);
    keptImage[id] = image[at] ?? 0;
  }
  const named = readFunctions(names, same?.of ?? null, keptImage);
  return { caller, frame, image: keptImage, rva, images, isGenerated, ...named };
}

/** Numbers from 0 on for what is its own first: that of each one's first, and which these are. */
function numbered(first: Int32Array): { readonly of: Int32Array; readonly kept: Int32Array } {
  const of = new Int32Array(first.length);
  let count = 0;
  for (let at = 0; at < of.length; at++) {
    const before = first[at] ?? at;
    of[at] = before === at ? count++ : (of[before] ?? 0);
  }
  const kept = new Int32Array(count);
  for (let at = 0; at < of.length; at++) if (first[at] === at) kept[of[at] ?? 0] = at;
  return { of, kept };
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

/** The functions of the frames by the rows of `functions.sql`: of equal frames the first one has it. */
function readFunctions(
  named: QueryResult,
  same: Int32Array | null,
  image: Int32Array,
): Pick<Calls, 'function' | 'functions'> {
  const names = named.strings('function');
  const ids = new Map<string, number>();
  const functions: { name: string; image: number }[] = [];
  const functionOf = new Int32Array(image.length).fill(-1);
  named.numbers('frame').forEach((frame, row) => {
    const at = same === null ? frame : (same[frame] ?? 0);
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
