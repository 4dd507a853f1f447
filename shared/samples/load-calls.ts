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
  const [tree, frames, imageRows, named] = await Promise.all([
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
  const rva = new Float64Array(lower.length);
  for (let at = 0; at < rva.length; at++) rva[at] = (upper[at] ?? 0) * 2 ** 32 + ((lower[at] ?? 0) >>> 0);
  for (let at = 0; at < caller.length; at++) {
    const before = caller[at] ?? 0;
    caller[at] = before === 0 ? -1 : at - before;
  }
  const ofPath = firstByPath(images, isGenerated);
  for (let at = 0; at < image.length; at++) image[at] = ofPath[image[at] ?? 0] ?? 0;
  // A frame is one place of a mapping: only where a file is mapped more than once can two be at the same place of it.
  const isMappedOnce = ofPath.every((first, id) => first === id);
  const same = isMappedOnce ? null : firstByPlace(image, lower, upper, isGenerated);
  if (same !== null) {
    for (let at = 0; at < frame.length; at++) frame[at] = same[frame[at] ?? 0] ?? 0;
  }
  return { caller, frame, image, rva, images, isGenerated, ...readFunctions(named, same, image) };
}

/**
 * For each image the first one of the same file: it may be in memory at several addresses. Generated code has no place in
 * a file by which two of its frames could be the same.
 */
function firstByPath(images: readonly string[], isGenerated: readonly boolean[]): readonly number[] {
  const first = new Map<string, number>();
  return images.map((path, image) => {
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
