import type { Query } from '../engine/index.ts';
import { frameName, labelFrames, loadCalls, loadSamples } from '../samples/index.ts';
import type { Blocks } from './blocks.ts';
import { keepMost, type GrowingCell, type Cells } from './cells.ts';
import { growStacks, type StackNode } from './stacks.ts';
import type { Things } from './things.ts';

/** What a frame is: the module, and the function where it is known. */
interface Code {
  readonly module: string;
  readonly function: string;
}

/**
 * Sums the CPU time that samples stand for by the module of the innermost frame, and within a module by function.
 * @returns the tree of stacks of each process class
 */
export async function sumSamples(
  query: Query,
  blocks: Blocks,
  things: Things,
  cells: Cells,
): Promise<ReadonlyMap<number, StackNode>> {
  const { range } = blocks;
  const [samples, calls] = await Promise.all([loadSamples(query, range), loadCalls(query)]);
  const modules = labelFrames(calls, 'module');
  const codes: (Code | undefined)[] = [];
  const codeOf = (callsite: number): Code => {
    const frame = calls.frame[callsite] ?? -1;
    const known = codes[frame];
    if (known !== undefined) return known;
    const module = modules.name(modules.of[frame] ?? -1);
    const isNamed = (calls.function[frame] ?? -1) !== -1;
    const code = { module, function: isNamed ? frameName(calls, frame) : `${module}, without symbols` };
    if (frame >= 0) codes[frame] = code;
    return code;
  };
  const utids = new Map<GrowingCell, number>();
  const innermost = new Map<number, Map<number, number>>();
  for (let row = 0; row < samples.count; row++) {
    const { utid, weight_ns } = samples.kinds[samples.kind[row] ?? 0] ?? { utid: 0, weight_ns: 0 };
    const block = blocks.at(samples.ts[row] ?? 0);
    if (weight_ns === 0 || !blocks.isWhole(block)) continue;
    const callsite = samples.callsite[row] ?? -1;
    const code = codeOf(callsite);
    const thread = things.threadOf(utid);
    const process = things.threads[thread]?.process ?? 0;
    const ends = innermost.get(process) ?? new Map<number, number>();
    innermost.set(process, ends);
    ends.set(callsite, (ends.get(callsite) ?? 0) + weight_ns);
    const cell = cells.of(thread, { measure: 'samples', module: code.module });
    cell.ns[block] = (cell.ns[block] ?? 0) + weight_ns;
    cell.count[block] = (cell.count[block] ?? 0) + 1;
    cell.functions.set(code.function, (cell.functions.get(code.function) ?? 0) + weight_ns);
    utids.set(cell, utid);
  }
  for (const [cell, utid] of utids)
    cell.ns.forEach((ns, block) => {
      const { start: ts, end: te } = blocks.stretch(block);
      keepMost(cell, ns, () => ({ ts, te, tid: things.tidOf(utid) }));
    });
  return new Map([...innermost].map(([process, ends]) => [process, growStacks(ends, calls)]));
}
