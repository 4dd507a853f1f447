import { interpolateRgb } from 'd3';
import { signedDuration, type ComparedStack, type ProcessStacks } from '../../shared/compare/index.ts';
import { formatDuration } from '../../shared/model/index.ts';
import {
  drawLegend,
  mountFlame,
  own,
  paletteOf,
  panel,
  type Block,
  type FlameLook,
  type FlameNode,
  type Palette,
} from '../kit/index.ts';

/** So much of the background is in the colour of a frame that only one side has. */
const LEAST_TINT = 0.25;

/** The stacks of both sides: a frame is as wide as both have of it together, and its colour tells which has more. */
export function flamePanel({ root }: ProcessStacks): Block {
  return panel(
    'Sampled stacks of the process',
    'a frame is as wide as its time in A and B together; click zooms',
    [own((parent) => drawStacks(parent, root))],
  );
}

const moreInB = (palette: Palette) => palette.series[0];
const moreInA = (palette: Palette) => palette.series[1];

function drawStacks(parent: HTMLElement, stacks: ComparedStack): () => void {
  const { root, of } = flameOf(stacks);
  const look: FlameLook = {
    upward: false,
    search: '',
    color: ({ key }, palette) => colorOf(of[key] ?? stacks, palette),
  };
  const palette = paletteOf(parent);
  drawLegend(parent, [
    { label: 'more in A', color: moreInA(palette) },
    { label: 'more in B', color: moreInB(palette) },
  ]);
  const label =
    'The sampled stacks of A and B, callers above what they call; the functions are in the table below';
  return mountFlame(parent, root, { label, look, lines: ({ key }) => linesOf(of[key] ?? stacks) });
}

function linesOf({ label, a_ns, b_ns }: ComparedStack): readonly string[] {
  return [
    label,
    `A ${formatDuration(a_ns)}, B ${formatDuration(b_ns)}`,
    `B − A ${signedDuration(b_ns - a_ns)}`,
  ];
}

/** The frames as the chart takes them, whose widths add up, and what each is, by its key. */
function flameOf(stacks: ComparedStack): { readonly root: FlameNode; readonly of: readonly ComparedStack[] } {
  const of: ComparedStack[] = [];
  const nodeOf = (stack: ComparedStack): FlameNode => {
    const key = of.push(stack) - 1;
    const children = stack.children.map(nodeOf);
    const samples = stack.a_ns + stack.b_ns;
    const called = children.reduce((sum, child) => sum + child.samples, 0);
    return { key, label: stack.label, module: stack.module, samples, self: samples - called, children };
  };
  return { root: nodeOf(stacks), of };
}

/** The further apart the sides are, the stronger the colour. */
function colorOf({ a_ns, b_ns }: ComparedStack, palette: Palette): string {
  const lean = (b_ns - a_ns) / Math.max(1, a_ns + b_ns);
  const color = lean < 0 ? moreInA(palette) : moreInB(palette);
  return interpolateRgb(palette.grid, interpolateRgb(color, palette.background)(LEAST_TINT))(Math.abs(lean));
}
