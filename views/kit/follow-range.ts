import type { TimeRange } from '../../shared/view/index.ts';
import { bindGestures } from './gestures.ts';
import type { LivePlot, Margins } from './plot.ts';

/** What following a range needs of a view's context. */
export interface RangeContext {
  readonly trace: { readonly range: TimeRange };
  readonly range: TimeRange;
  onRange?(listener: (range: TimeRange) => void): () => void;
  zoomTo(range: TimeRange): void;
}

/** A plot that stays on the range that the user is on the way to. */
export interface FollowingPlot {
  readonly plot: LivePlot;
  readonly range: () => TimeRange;
  readonly end: () => void;
}

/** Keeps a plot on the range that the user is on the way to, and lets gestures on the plot change it. */
export function followRange(
  margins: Margins,
  context: RangeContext,
  makePlot: (range: () => TimeRange, dragged: () => TimeRange | null) => LivePlot,
): FollowingPlot {
  let range = context.range;
  let dragged: TimeRange | null = null;
  const plot = makePlot(
    () => range,
    () => dragged,
  );
  const unfollow = context.onRange?.((next) => {
    range = next;
    plot.redraw();
  });
  const unbind = bindGestures({
    element: plot.element,
    area: () => ({
      left: margins.left,
      width: Math.max(1, plot.element.clientWidth - margins.left - margins.right),
    }),
    range: () => range,
    bounds: () => context.trace.range,
    zoomTo: (next) => context.zoomTo(next),
    onDrag: (span) => {
      dragged = span;
      plot.redraw();
    },
    wheel: 'scrolls',
  });
  return {
    plot,
    range: () => range,
    end: () => {
      unfollow?.();
      unbind();
      plot.end();
    },
  };
}
