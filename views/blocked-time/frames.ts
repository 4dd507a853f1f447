import { keysOf, WAKERS, type BlockedGroups } from '../../shared/causes/index.ts';
import type { Query } from '../../shared/engine/index.ts';
import { labelFrames, labelsOfStack, loadCalls } from '../../shared/samples/index.ts';
import { processLabel, threadLabel, type ThreadName } from '../../shared/threads/index.ts';
import { growFlame, PATH_END, TOO_NARROW, type FlameNode } from '../kit/index.ts';
import type { BlockedTimeParams } from './params.ts';

/** A frame of the picture. */
export type Frame = Pick<FlameNode, 'label' | 'module'>;

/** What a stack is called, the outermost call first. */
export type StackFrames = (callsite: number) => readonly Frame[];

/** A side by which groups are told apart: a column of theirs, and the frames of its values, the outermost first. */
export interface Side {
  readonly column: 'reason' | 'utid' | 'waker' | 'callsite';
  readonly framesOf: (value: number) => readonly Frame[];
}

/** The sides of groups. */
export type Sides = ReturnType<typeof sidesOf>;

/** Names stacks by what their frames are told apart by. */
export async function loadStackFrames(query: Query, { frames }: BlockedTimeParams): Promise<StackFrames> {
  const calls = await loadCalls(query);
  const labels = labelFrames(calls, frames);
  const frameOf = (label: number) => ({ label: labels.name(label), module: labels.module(label) });
  return (callsite) => labelsOfStack(calls, labels, callsite).map(frameOf);
}

/** The sides of groups with these wait reasons. */
export function sidesOf(
  names: ReadonlyMap<number, ThreadName>,
  reasons: readonly (string | null)[],
  stackOf: StackFrames | null,
) {
  const named = (label: (name: ThreadName | undefined) => string) => (utid: number) => {
    const name = names.get(utid);
    // By another word than the label begins with: of a long label the module would be left out.
    return [{ label: WAKERS[utid] ?? label(name), module: name ? `process ${name.process}` : '' }];
  };
  const [processOf, threadOf] = [named(processLabel), named(threadLabel)];
  const side = (column: Side['column'], framesOf: Side['framesOf']): Side => ({ column, framesOf });
  return {
    reason: side('reason', (number) => {
      const reason = reasons[number] ?? null;
      return [{ label: reason ?? 'no wait reason recorded', module: reason ?? '' }];
    }),
    process: side('utid', processOf),
    thread: side('utid', threadOf),
    /** What is no thread has no process. */
    wakerProcess: side('waker', (waker) => (WAKERS[waker] === undefined ? processOf(waker) : [])),
    waker: side('waker', threadOf),
    stack: side('callsite', (callsite) =>
      callsite === -1 || stackOf === null ? NO_STACK : stackOf(callsite),
    ),
  };
}

const NO_STACK: readonly Frame[] = [{ label: 'no stack', module: '' }];

/** The sides that the picture tells apart, the outermost first. */
export function sidesBy(by: BlockedTimeParams['by'], sides: Sides): readonly Side[] {
  const { reason, process, thread, wakerProcess, waker, stack } = sides;
  switch (by) {
    case 'waker':
      return [wakerProcess, waker, thread, reason];
    case 'wait-stack':
      return [process, stack, reason];
    case 'ready-stack':
      return [waker, stack, thread];
    default:
      return [reason, process, thread, waker];
  }
}

/** The picture: a frame is as wide as its blocked time, in ns. `isCut`: what is inside these sides is too narrow to be drawn. */
export function blockedFlame(groups: BlockedGroups, sides: readonly Side[], isCut: boolean): FlameNode {
  const frames: Frame[] = [];
  const known = new Map<string, number>();
  const numberOf = (frame: Frame): number => {
    const key = `${frame.module}\n${frame.label}`;
    const number = known.get(key) ?? frames.push(frame) - 1;
    known.set(key, number);
    return number;
  };
  const steps = sides.map(({ column, framesOf }) => {
    const { ids, keys } = keysOf(groups[column], (value) => value);
    return { ids, paths: keys.map((value) => Int32Array.from(framesOf(value), numberOf)) };
  });
  const end = isCut ? TOO_NARROW : PATH_END;
  const frameAt = (row: number, depth: number): number => {
    let left = depth;
    for (const { ids, paths } of steps) {
      const path = paths[ids[row] ?? 0];
      if (path === undefined) continue;
      if (left < path.length) return path[left] ?? end;
      left -= path.length;
    }
    return end;
  };
  return growFlame(groups.ns, frameAt, (number) => frames[number] ?? { label: '', module: '' });
}
