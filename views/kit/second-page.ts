import type { SecondTrace, TimeRange } from '../../shared/view/index.ts';
import { remarks, type Block, type Frame, type Page } from './blocks.ts';
import { drawOutline } from './outline.ts';
import { joinTables, SECOND } from './second-table.ts';

type Of<K extends Block['kind']> = Extract<Block, { kind: K }>;

/**
 * A page of a recording, A, with what the same page of another one, B, has: as second columns of its tables, and as outlines in its
 * pictures. What cannot be joined shows A alone, and the page says so.
 */
export function joinPages(a: Page, b: Page, second: Pick<SecondTrace, 'later_ns' | 'inA'>): Page {
  const alone = new Set<string>();
  const joined = joinBlocks(a, b, '');
  const told = [...alone].map((title) => `“${title}”`).join(', ');
  return [
    alone.size === 0
      ? null
      : remarks([`Of A alone: ${told}. B has no such rows, or cannot be laid over it.`]),
    ...joined,
  ];

  function joinBlocks(one: Page, other: Page, title: string): Page {
    return one.map((block, at) => (block === null ? null : joinBlock(block, other[at] ?? null, title)));
  }

  function joinBlock(block: Block, other: Block | null, title: string): Block {
    switch (block.kind) {
      case 'panel': {
        const inside = other?.kind === 'panel' ? other.blocks : [];
        return { ...block, blocks: joinBlocks(block.blocks, inside, block.title) };
      }
      case 'row':
        return {
          ...block,
          blocks: joinBlocks(block.blocks, other?.kind === 'row' ? other.blocks : [], title),
        };
      case 'table':
        return joinTable(block, other, second.inA) ?? keep(block, block.table.title);
      case 'picture':
        return joinPicture(block, other, second.later_ns) ?? keep(block, title === '' ? block.label : title);
      case 'lanes':
        return keep(block, title === '' ? block.label : title);
      case 'figures':
        return other?.kind === 'figures' ? joinFigures(block, other) : block;
      case 'answer':
        return other?.kind === 'answer'
          ? { ...block, sentences: ofBoth(block.sentences, other.sentences) }
          : block;
      case 'remarks':
        return other?.kind === 'remarks' ? { ...block, lines: ofBoth(block.lines, other.lines) } : block;
      default:
        return block;
    }
  }

  function keep(block: Block, title: string): Block {
    alone.add(title);
    return block;
  }
}

function joinTable(block: Of<'table'>, other: Block | null, inA: SecondTrace['inA']): Block | null {
  const joined = other?.kind === 'table' ? joinTables(block.table, other.table, inA) : null;
  if (joined === null) return null;
  const { hidden, choose } = block;
  const count = block.table.rows.length;
  return {
    ...block,
    table: joined,
    ...(hidden && { hidden: hidden.flatMap((name) => [name, name + SECOND.b, name + SECOND.change]) }),
    // Rows of B alone are in no view of A.
    ...(choose && {
      choose: (row: number) => {
        if (row < count) choose(row);
      },
    }),
  };
}

function joinPicture(block: Of<'picture'>, other: Block | null, later_ns: number): Block | null {
  if (other?.kind !== 'picture' || block.frame === undefined || other.frame === undefined) return null;
  const frame = together(block.frame, other.frame);
  const isOwn = JSON.stringify(frame) === JSON.stringify(block.frame);
  const picture: Block = {
    ...block,
    frame,
    legend: (palette) => [
      ...(block.legend?.(palette) ?? []),
      { label: 'B, as an outline', color: palette.text },
    ],
    draw(plot, range) {
      block.draw(plot, range, frame);
      drawOutline(plot, (outline) => other.draw(outline, moved(range, later_ns), frame));
    },
  };
  // What lies under a pointer is told in A's own frame.
  return isOwn ? picture : { ...picture, at: () => null };
}

function together(a: Frame, b: Frame): Frame {
  const most = Math.max(a.most, b.most);
  if (a.from_ns === undefined || a.to_ns === undefined) return { most };
  return {
    most,
    from_ns: Math.min(a.from_ns, b.from_ns ?? a.from_ns),
    to_ns: Math.max(a.to_ns, b.to_ns ?? a.to_ns),
  };
}

function joinFigures(block: Of<'figures'>, other: Of<'figures'>): Block {
  const ofB = new Map(other.figures);
  return {
    ...block,
    figures: block.figures.map(([name, value]) => [name, `${value} → ${ofB.get(name) ?? '–'}`] as const),
  };
}

/** What is said of both: once where it is the same. */
function ofBoth(a: readonly string[], b: readonly string[]): readonly string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  const sided = (side: string, sentences: readonly string[]) =>
    sentences.map((sentence, at) => (at === 0 ? `${side}: ${sentence}` : sentence));
  return [...sided('A', a), ...sided('B', b)];
}

const moved = ({ start, end }: TimeRange, by_ns: number): TimeRange => ({
  start: start + by_ns,
  end: end + by_ns,
});
