import * as d3 from 'd3';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  addPanel,
  type Block,
  type Box,
  boxAt,
  drawCursor,
  flameChart,
  flameHeight,
  type FlameLook,
  layOut,
  livePlot,
  makeTooltip,
  type Margins,
  own,
  steppedTo,
} from '../kit/index.ts';
import { copiedStack } from './copied-stack.ts';
import { addCopyButton } from './copy-button.ts';
import type { CpuSampledModel } from './model.ts';
import type { params } from './params.ts';
import { foundWords, nodeLines } from './words.ts';

type Context = ViewContext<typeof params>;

const MARGINS: Margins = { top: 2, right: 2, bottom: 2, left: 2 };

/** Whether the picture had the focus when it was last taken away: a zoom draws it anew. */
let wasFocused = false;

/** How the params want the boxes drawn. */
function lookOf({ shape, search }: Context['params']): FlameLook {
  return { upward: shape === 'flame', search: search?.toLowerCase() ?? '' };
}

/** The flame graph in a panel of its own; a still has the picture alone. */
export function flameBlock(model: CpuSampledModel, context: Context): Block {
  return own(
    (parent) => drawFlame(parent, model, context),
    (page) => {
      const boxes = layOut(model.root, context.params.zoom);
      const height = flameHeight(boxes) + MARGINS.top + MARGINS.bottom;
      page.chart(height, MARGINS, flameChart(boxes, lookOf(context.params)));
    },
  );
}

/** Puts the flame graph into a panel of its own. A click or Enter zooms, and shows the callers of a frame. */
function drawFlame(container: HTMLElement, model: CpuSampledModel, context: Context): () => void {
  const boxes = layOut(model.root, context.params.zoom);
  const look = lookOf(context.params);
  const asides = [
    ...(look.search === '' ? [] : [foundWords(boxes, look, model)]),
    'click or Enter zooms in, Backspace out',
  ];
  const panel = addPanel(container, look.upward ? 'Flame graph' : 'Icicle', asides.join(' · '));
  const tooltip = makeTooltip(panel);
  let cursor = Math.max(0, boxes.filter(({ spine }) => spine).length - 1);
  const copying = addCopyButton(panel, {
    label: 'Copy stack',
    title:
      'Copies the frames from the outermost to the one that is zoomed into or that the arrow keys moved to, one a line. Ctrl C or ⌘ C in the picture',
    text: () => copiedStack(boxes, cursor, model),
  });
  const label =
    'The stacks of the samples, callers and what they call. Arrow keys move, Enter zooms in, Backspace out, Ctrl C copies the stack. The tables below hold the sums.';
  /** Whether an arrow key has moved the cursor since it was last drawn. */
  let hasMoved = false;
  const plot = livePlot(panel, label, MARGINS, flameChart(boxes, look), (area) => {
    const box = boxes[cursor];
    const isFocused = element === element.ownerDocument.activeElement;
    if (box === undefined || !isFocused) return;
    const frame = drawCursor(area, box, boxes, look);
    if (hasMoved && frame !== null) tellBox(box, frame);
    hasMoved = false;
  });
  const { element } = plot;
  element.style.height = `${flameHeight(boxes) + MARGINS.top + MARGINS.bottom}px`;
  element.tabIndex = 0;

  const zoomTo = (box: Box | undefined) => {
    if (box === undefined) return;
    const { key, module, label } = box.node;
    const chosen = module === '' && box.row <= 1 ? {} : { function: label };
    context.setParams({ zoom: box.row === 0 ? null : key, ...chosen });
  };
  const find = (event: MouseEvent): number => {
    const area = plot.current();
    const { left, top } = element.getBoundingClientRect();
    if (area === null) return -1;
    return boxAt(event.clientX - left - MARGINS.left, event.clientY - top - MARGINS.top, boxes, look, area);
  };
  /** Says what the cursor stands on: a narrow box has no label. */
  const tellBox = (box: Box, frame: Element) => {
    const lines = nodeLines(box.node, model);
    element.ariaDescription = lines.join('; ');
    frame.scrollIntoView({ block: 'nearest' });
    const { left, bottom } = frame.getBoundingClientRect();
    tooltip.show({ clientX: left, clientY: bottom }, lines);
  };
  d3.select(element)
    .on('pointermove', (event: PointerEvent) => {
      const box = boxes[find(event)];
      element.style.cursor = box === undefined ? 'default' : 'pointer';
      if (box === undefined) tooltip.hide();
      else tooltip.show(event, nodeLines(box.node, model));
    })
    .on('pointerleave', () => tooltip.hide())
    .on('focus', () => plot.redrawOverlay())
    .on('blur', () => {
      plot.redrawOverlay();
      tooltip.hide();
    })
    .on('click', (event: MouseEvent) => zoomTo(boxes[find(event)]))
    .on('keydown', (event: KeyboardEvent) => {
      if (event.altKey) return;
      if (event.ctrlKey || event.metaKey) {
        // What is selected in the page is copied by the page itself.
        if (event.code !== 'KeyC' || String(getSelection()) !== '') return;
        copying.copy();
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      if (event.key === 'Enter') zoomTo(boxes[cursor]);
      else if (event.key === 'Backspace') zoomTo(boxes[boxes.filter(({ spine }) => spine).length - 2]);
      else {
        const next = steppedTo(boxes, cursor, event.key, look.upward);
        if (next === null) return;
        cursor = next;
        copying.update();
        hasMoved = true;
        plot.redrawOverlay();
      }
      event.preventDefault();
      event.stopPropagation();
    });
  // It is drawn aside: only once it is in the page can it have the focus.
  const focusing = wasFocused ? requestAnimationFrame(() => element.focus({ preventScroll: true })) : 0;
  return () => {
    cancelAnimationFrame(focusing);
    wasFocused = element === element.ownerDocument.activeElement;
    plot.end();
  };
}
