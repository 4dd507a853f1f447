import { fileName } from '../model/index.ts';
import type { Calls } from './load-calls.ts';

/** What frames are told apart by: the function (without symbols the instruction), the image, or the instruction. */
export const FRAMES = ['function', 'module', 'address'] as const;
export type Frames = (typeof FRAMES)[number];

/** What frames are called: each has a label, and frames that are not told apart have the same. */
export interface Labels {
  /** The label of each frame, by its index. */
  readonly of: Int32Array;
  /** True where the label of each frame is its index. */
  readonly isFrame: boolean;
  /** How many labels there can be. */
  readonly count: number;
  /** True where a run of calls under one label is one frame, as calls within a module are. */
  readonly joins: boolean;
  /** A label in words. */
  name(label: number): string;
  /** The name of the image; empty where none is known. */
  module(label: number): string;
  /** The labels with this name. */
  named(name: string): readonly number[];
}

const kept = new WeakMap<Calls, Map<Frames, Labels>>();

/** The labels of all frames; made once for each way to tell them apart. */
export function labelFrames(calls: Calls, frames: Frames): Labels {
  const known = kept.get(calls) ?? new Map<Frames, Labels>();
  kept.set(calls, known);
  const labels = known.get(frames) ?? makeLabels(calls, frames);
  known.set(frames, labels);
  return labels;
}

function makeLabels(calls: Calls, frames: Frames): Labels {
  if (frames === 'module') return moduleLabels(calls);
  const frameCount = calls.image.length;
  const hasFunctions = frames === 'function' && calls.functions.length > 0;
  const of = hasFunctions
    ? calls.function.map((id, frame) => (id === -1 ? frame : frameCount + id))
    : instructionsOf(calls);
  const functionOf = (label: number) =>
    label < frameCount ? undefined : calls.functions[label - frameCount];
  const module = (label: number) => imageName(calls, functionOf(label)?.image ?? calls.image[label] ?? -1);
  const name = (label: number) => {
    const known = functionOf(label);
    return known === undefined ? addressName(calls, label) : functionName(module(label), known.name);
  };
  const count = frameCount + (hasFunctions ? calls.functions.length : 0);
  const named = (wanted: string) => labelsNamed(wanted, calls, count, name);
  return { of, isFrame: !hasFunctions, count, joins: false, name, module, named };
}

function moduleLabels(calls: Calls): Labels {
  const count = calls.images.length;
  const module = (label: number) => imageName(calls, label);
  const name = (label: number) => module(label) || 'unknown code';
  const named = (wanted: string) => [...calls.images.keys()].filter((label) => name(label) === wanted);
  return { of: calls.image, isFrame: false, count, joins: true, name, module, named };
}

const keptInstructions = new WeakMap<Calls, Int32Array>();

/** Each frame as its own label: the same object for all kinds of labels that are instructions alone. */
function instructionsOf(calls: Calls): Int32Array {
  const known = keptInstructions.get(calls);
  if (known !== undefined) return known;
  const own = new Int32Array(calls.image.length);
  for (let frame = 0; frame < own.length; frame++) own[frame] = frame;
  keptInstructions.set(calls, own);
  return own;
}

/** The labels of instructions and, behind them, of functions with a name. It is made only of instructions at the place that is in it. */
function labelsNamed(
  wanted: string,
  { image, rva }: Calls,
  count: number,
  name: (label: number) => string,
): readonly number[] {
  const found: number[] = [];
  for (const [, digits = ''] of wanted.matchAll(/(?:^|\+)0x([0-9a-f]+)/g)) {
    const place = Number(BigInt.asIntN(64, BigInt(`0x${digits}`)));
    let frame = rva.indexOf(place);
    for (; frame !== -1; frame = rva.indexOf(place, frame + 1)) if (name(frame) === wanted) found.push(frame);
  }
  for (let label = image.length; label < count; label++) if (name(label) === wanted) found.push(label);
  return [...new Set(found)];
}

/** The labels of a stack from the outermost call to `innermost`; runs of one label are one where the labels join them. */
export function labelsOfStack({ caller, frame }: Calls, labels: Labels, innermost: number): number[] {
  const stack: number[] = [];
  for (let call = innermost; call >= 0; call = caller[call] ?? -1) {
    const label = labels.of[frame[call] ?? 0] ?? 0;
    if (!labels.joins || stack.at(-1) !== label) stack.push(label);
  }
  return stack.reverse();
}

/** An instruction: `wbemcore.dll+0x1234`, or its address in no image, and its function where one is known. */
export function addressName(calls: Calls, frame: number): string {
  const module = imageName(calls, calls.image[frame] ?? -1);
  const rva = calls.rva[frame] ?? 0;
  const address = (rva < 0 ? BigInt.asUintN(64, BigInt(rva)) : rva).toString(16);
  const known = calls.functions[calls.function[frame] ?? -1];
  if (module === '' || isGenerated(calls, frame)) {
    return known === undefined ? `0x${address}` : `0x${address} ${functionName(module, known.name)}`;
  }
  const at = `${module}+0x${address}`;
  return known === undefined ? at : `${at} ${known.name}`;
}

/** A frame by its function where one is known, else by its instruction. */
export function frameName(calls: Calls, frame: number): string {
  const known = calls.functions[calls.function[frame] ?? -1];
  if (known === undefined) return addressName(calls, frame);
  return functionName(imageName(calls, known.image), known.name);
}

function isGenerated(calls: Calls, frame: number): boolean {
  return calls.isGenerated[calls.image[frame] ?? -1] === true;
}

function functionName(module: string, name: string): string {
  return module === '' ? name : `${module}!${name}`;
}

function imageName(calls: Calls, image: number): string {
  return fileName(calls.images[image] ?? '');
}
