import type { FlameNode } from './flame-node.ts';

/** A frame's place: its row counted from the root, and its stretch of the width, each from 0 to 1. */
export interface Box {
  readonly node: FlameNode;
  readonly row: number;
  readonly from: number;
  readonly to: number;
  /** The box that called it, by index; −1 for the root. */
  readonly parent: number;
  /** True for what the picture is zoomed into and for its callers. */
  readonly spine: boolean;
}

/** Where the frames lie when the picture is zoomed into the one with this key: its callers take the whole width. */
export function layOut(root: FlameNode, zoom: number | null): readonly Box[] {
  const path = (zoom === null ? null : pathTo(root, zoom)) ?? [root];
  const boxes: Box[] = path.map((node, row) => ({
    node,
    row,
    from: 0,
    to: 1,
    parent: row - 1,
    spine: true,
  }));
  for (let at = path.length - 1; at < boxes.length; at++) {
    const box = boxes[at];
    if (box === undefined) break;
    let { from } = box;
    for (const node of box.node.children) {
      const to = from + ((box.to - box.from) * node.samples) / Math.max(1, box.node.samples);
      boxes.push({ node, row: box.row + 1, from, to, parent: at, spine: false });
      from = to;
    }
  }
  return boxes;
}

/** The frames from the root to the one with this key; null if there is none. */
function pathTo(node: FlameNode, key: number): readonly FlameNode[] | null {
  if (node.key === key) return [node];
  for (const child of node.children) {
    const rest = pathTo(child, key);
    if (rest !== null) return [node, ...rest];
  }
  return null;
}

/** How many rows the boxes take. */
export function rowCount(boxes: readonly Box[]): number {
  return boxes.reduce((most, { row }) => Math.max(most, row + 1), 0);
}

/** The box that an arrow key moves to from the one at `cursor`, by index; null if the key moves nowhere. */
export function steppedTo(
  boxes: readonly Box[],
  cursor: number,
  key: string,
  upward: boolean,
): number | null {
  const at = boxes[cursor];
  if (at === undefined) return null;
  switch (key) {
    case upward ? 'ArrowDown' : 'ArrowUp':
      return Math.max(0, at.parent);
    case upward ? 'ArrowUp' : 'ArrowDown': {
      const child = boxes.findIndex(({ parent }) => parent === cursor);
      return child === -1 ? cursor : child;
    }
    case 'ArrowLeft':
      return boxes[cursor - 1]?.row === at.row ? cursor - 1 : cursor;
    case 'ArrowRight':
      return boxes[cursor + 1]?.row === at.row ? cursor + 1 : cursor;
    case 'Home':
      return 0;
    default:
      return null;
  }
}
