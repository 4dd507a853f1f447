import type { TimeRange } from '../../shared/view/index.ts';
import { timeScale, type Plot } from '../kit/index.ts';
import type { Placed } from './places.ts';
import type { Stretch, WokenAnswer } from './questions.ts';

/** Where a track lies in a plot, in px. */
type Spot = Omit<Placed, 'index'>;

/** The tracks of a key that are in sight. */
export type SpotsOf = (key: string) => readonly Spot[];

/** Draws a frame around what is chosen, wherever it is shown, an arrow from who woke it, and arrows to whom it woke. */
export function drawChosen(
  plot: Plot,
  range: TimeRange,
  { stretch, woken }: { readonly stretch: Stretch; readonly woken: WokenAnswer | null },
  spotsOf: SpotsOf,
): void {
  const spots = [stretch.track, ...stretch.also].flatMap(spotsOf);
  const x = timeScale(range, plot.width).clamp(true);
  const width = Math.max(2, x(stretch.te) - x(stretch.ts));
  if (stretch.te >= range.start && stretch.ts <= range.end)
    for (const { top, cut, height } of spots)
      plot.svg
        .append('rect')
        .attr('class', 'chosen')
        .attr('x', x(stretch.ts))
        .attr('y', Math.max(cut, top) - 1)
        .attr('width', width)
        .attr('height', top + height - Math.max(cut, top) + 2)
        .attr('fill', 'none')
        .attr('stroke', plot.palette.accent)
        .attr('stroke-width', 2)
        .attr('pointer-events', 'none');
  const [own] = spots;
  if (own === undefined) return;
  const arrow = (ts: number, from: Spot | undefined, to: Spot | undefined) => {
    if (from !== undefined && to !== undefined && ts >= range.start && ts <= range.end)
      drawArrow(plot, x(ts), from, to);
  };
  if (stretch.wake !== null)
    arrow(stretch.wake.ts, nearest(spotsOf(`t${stretch.wake.waker_utid}`), own), own);
  for (const { ts, utid } of woken?.wakes ?? []) arrow(ts, own, nearest(spotsOf(`t${utid}`), own));
}

/** A thread that is pinned has two tracks. */
function nearest(spots: readonly Spot[], to: Spot): Spot | undefined {
  const apart = ({ top }: Spot) => Math.abs(top - to.top);
  return spots.reduce<Spot | undefined>(
    (least, spot) => (least === undefined || apart(spot) < apart(least) ? spot : least),
    undefined,
  );
}

/** From the edge of one track to the facing edge of another. */
function drawArrow(plot: Plot, x: number, from: Spot, to: Spot): void {
  const down = to.top > from.top;
  const begin = down ? from.top + from.height : from.top;
  const end = down ? to.top : to.top + to.height;
  const head = down ? -6 : 6;
  plot.svg
    .append('path')
    .attr('class', 'wake')
    .attr('d', `M${x},${begin}L${x},${end}M${x - 4},${end + head}L${x},${end}L${x + 4},${end + head}`)
    .attr('fill', 'none')
    .attr('stroke', plot.palette.accent)
    .attr('stroke-width', 1.5)
    .attr('pointer-events', 'none');
}
