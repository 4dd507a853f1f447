import { WAKERS, type BlockedGroup } from '../../shared/causes/index.ts';
import type { Query } from '../../shared/engine/index.ts';
import { labelFrames, labelsOfStack, loadCalls } from '../../shared/samples/index.ts';
import { processLabel, threadLabel, type ThreadName } from '../../shared/threads/index.ts';
import { growFlame, type FlameNode } from '../kit/index.ts';
import type { BlockedTimeParams } from './params.ts';

/** A frame of the picture. */
export type Frame = Pick<FlameNode, 'label' | 'module'>;

/** What a stack is called, the outermost call first. */
export type StackFrames = (callsite: number) => readonly Frame[];

/** What a group of blocks is called by each of its sides. */
export type Sides = ReturnType<typeof sidesOf>;

/** The frame of a key, made once: there can be a million groups, of a few thousand threads. */
function once<K>(frameOf: (key: K) => Frame): (key: K) => Frame {
  const known = new Map<K, Frame>();
  return (key) => {
    const frame = known.get(key) ?? frameOf(key);
    if (!known.has(key)) known.set(key, frame);
    return frame;
  };
}

/** Names stacks by what their frames are told apart by. */
export async function loadStackFrames(query: Query, { frames }: BlockedTimeParams): Promise<StackFrames> {
  const calls = await loadCalls(query);
  const labels = labelFrames(calls, frames);
  const frameOf = once((label: number) => ({ label: labels.name(label), module: labels.module(label) }));
  return (callsite) => labelsOfStack(calls, labels, callsite).map(frameOf);
}

/** Names the sides of groups. */
export function sidesOf(names: ReadonlyMap<number, ThreadName>, stackOf: StackFrames | null) {
  const namer = (label: (name: ThreadName | undefined) => string) =>
    once((utid: number) => {
      const name = names.get(utid);
      // By another word than the label begins with: of a long label the module would be left out.
      return { label: WAKERS[utid] ?? label(name), module: name ? `process ${name.process}` : '' };
    });
  const [processOf, threadOf] = [namer(processLabel), namer(threadLabel)];
  const reasonOf = once((reason: string | null) => ({
    label: reason ?? 'no wait reason recorded',
    module: reason ?? '',
  }));
  return {
    reason: ({ reason }: BlockedGroup) => reasonOf(reason),
    process: ({ utid }: BlockedGroup) => processOf(utid),
    thread: ({ utid }: BlockedGroup) => threadOf(utid),
    wakerProcess: ({ waker }: BlockedGroup) => processOf(waker),
    waker: ({ waker }: BlockedGroup) => threadOf(waker),
    stack: ({ callsite }: BlockedGroup) =>
      callsite === -1 || stackOf === null ? NO_STACK : stackOf(callsite),
  };
}

const NO_STACK: readonly Frame[] = [{ label: 'no stack', module: '' }];

/** The picture: a frame is as wide as its blocked time, in ns. */
export function blockedFlame(
  groups: readonly BlockedGroup[],
  by: BlockedTimeParams['by'],
  sides: Sides,
): FlameNode {
  const [frames, ids] = [new Array<Frame>(), new Map<string, number>()];
  const known = new Map<Frame, number>();
  const idOf = (frame: Frame): number => {
    const before = known.get(frame);
    if (before !== undefined) return before;
    const key = `${frame.module}\n${frame.label}`;
    const id = ids.get(key) ?? frames.push(frame) - 1;
    ids.set(key, id);
    known.set(frame, id);
    return id;
  };
  const paths = groups.map((group) => ({ path: pathOf(group, by, sides).map(idOf), weight: group.ns }));
  return growFlame(paths, (id) => frames[id] ?? { label: '', module: '' });
}

/** The frames of a group, the outermost first. */
function pathOf(of: BlockedGroup, by: BlockedTimeParams['by'], sides: Sides): readonly Frame[] {
  switch (by) {
    case 'waker':
      return [
        ...(WAKERS[of.waker] === undefined ? [sides.wakerProcess(of)] : []),
        ...[sides.waker(of), sides.thread(of), sides.reason(of)],
      ];
    case 'wait-stack':
      return [sides.process(of), ...sides.stack(of), sides.reason(of)];
    case 'ready-stack':
      return [sides.waker(of), ...sides.stack(of), sides.thread(of)];
    default:
      return [sides.reason(of), sides.process(of), sides.thread(of), sides.waker(of)];
  }
}
