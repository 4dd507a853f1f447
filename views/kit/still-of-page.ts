import type { TimeContext } from './time-plot.ts';
import type { Block, Page } from './blocks.ts';
import { stillLaneChart } from './lane-chart.ts';
import { stillPalette } from './palette.ts';
import { drawShade } from './shade.ts';
import type { StillPage } from './still-page.ts';

/** What a still needs of a view's context. */
export type StillContext = Pick<TimeContext, 'range' | 'selection'> & { readonly detail?: unknown };

/** Draws the blocks of a page into a still, from the top down. */
export function drawBlocksStill(page: StillPage, blocks: Page, context: StillContext): void {
  for (const block of blocks) if (block !== null) drawBlock(page, block, context);
}

function drawBlock(page: StillPage, block: Block, context: StillContext): void {
  switch (block.kind) {
    case 'notes':
      for (const note of block.notes) page.text(note, { color: stillPalette.series[0], gap: 6 });
      break;
    case 'empty':
      page.text([block.title, block.text].filter((text) => text !== '').join('. '), { size: 13 });
      break;
    case 'figures':
      page.text(block.figures.map(([name, value]) => `${name} ${value}`).join(', '), { size: 13, gap: 10 });
      break;
    case 'answer':
      for (const sentence of block.sentences) page.text(sentence, { size: 13, gap: 7 });
      break;
    case 'remarks':
      for (const line of block.lines) page.text(line, { color: stillPalette.muted });
      break;
    case 'panel':
      drawPanel(page, block, context);
      break;
    case 'picture': {
      page.legend(block.legend?.(stillPalette) ?? [], 20);
      const height = block.still_px ?? block.height_px;
      const range = block.rangeOf?.(context.range) ?? context.range;
      const { span } = context.selection;
      page.chart(height, block.margins, (plot) => {
        block.draw(plot, range);
        if (block.timed && span !== null && block.shades?.(span) !== false) drawShade(plot, range, span);
      });
      page.space(6);
      break;
    }
    case 'lanes':
      stillLaneChart(page, block.still_chart ?? block.chart, {
        range: block.still_range ?? context.range,
        selection: context.selection,
      });
      page.space(8);
      break;
    case 'row':
      drawBlocksStill(page, block.blocks, context);
      break;
    case 'still-lines':
      for (const { text, isMuted, ...style } of block.lines)
        page.text(text, { gap: 5, ...style, ...(isMuted === true && { color: stillPalette.muted }) });
      break;
    case 'detail':
      if (context.detail != null) drawBlocksStill(page, block.of(context.detail), context);
      break;
    case 'own':
      block.still?.(page);
      break;
    case 'buttons':
    case 'table':
    case 'chosen':
      break;
  }
}

/** Draws a panel. The still names the panel if it shows something of the panel. */
function drawPanel(page: StillPage, block: Extract<Block, { kind: 'panel' }>, context: StillContext): void {
  const { title, options, blocks } = block;
  if (options.isNamedInStill !== false && blocks.some(isInStill)) {
    const { aside = '' } = options;
    page.space(8);
    page.text(title, { size: 14, gap: aside === '' ? 10 : 5 });
    if (aside !== '') page.text(aside, { color: stillPalette.muted, gap: 10 });
  }
  drawBlocksStill(page, blocks, context);
}

function isInStill(block: Block | null): boolean {
  if (block === null) return false;
  if (block.kind === 'own') return block.still !== undefined;
  return block.kind === 'picture' || block.kind === 'lanes' || block.kind === 'still-lines';
}
