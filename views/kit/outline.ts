import type { Pen, Plot } from './plot.ts';

/** The upper edge of what is filled, in each px across. */
class Skyline {
  readonly #tops: Float64Array;
  readonly #foot: number;

  constructor({ width, height }: Pick<Plot, 'width' | 'height'>) {
    this.#foot = height;
    this.#tops = new Float64Array(Math.max(1, Math.ceil(width))).fill(height);
  }

  /** Takes a straight edge from one point to another. */
  #edge(x0: number, y0: number, x1: number, y1: number): void {
    const [left, right] = x0 <= x1 ? [x0, x1] : [x1, x0];
    const last = this.#tops.length - 1;
    for (let px = Math.max(0, Math.floor(left)); px <= Math.min(last, Math.ceil(right) - 1); px++) {
      const at = x1 === x0 ? 0 : (Math.min(right, Math.max(left, px + 0.5)) - x0) / (x1 - x0);
      const y = y0 + (y1 - y0) * at;
      this.#tops[px] = Math.max(0, Math.min(this.#tops[px] ?? this.#foot, y));
    }
  }

  /** A pen that fills nothing, and tells the edges of what it is to fill. */
  pen(): Pen {
    let [x, y] = [0, 0];
    const lineTo = (toX: number, toY: number) => {
      this.#edge(x, y, toX, toY);
      [x, y] = [toX, toY];
    };
    return {
      moveTo: (toX, toY) => ([x, y] = [toX, toY]),
      lineTo,
      closePath: () => undefined,
      rect: (left, top, width, height) =>
        this.#edge(left, Math.min(top, top + height), left + width, Math.min(top, top + height)),
      arc: () => undefined,
    };
  }

  draw(pen: Pen): void {
    let isDown = false;
    for (const [px, top] of this.#tops.entries()) {
      const isFoot = top >= this.#foot;
      if (!isFoot || isDown) {
        if (!isDown) pen.moveTo(px, this.#foot);
        pen.lineTo(px, top);
        pen.lineTo(px + 1, top);
      }
      isDown = !isFoot;
    }
    if (isDown) pen.lineTo(this.#tops.length, this.#foot);
  }
}

/** Draws the outline of a chart whose marks stand on the lower edge: of all that it fills the upper edge, without axes and words. */
export function drawOutline(plot: Plot, chart: (plot: Plot) => void): void {
  const skyline = new Skyline(plot);
  chart({
    width: plot.width,
    height: plot.height,
    palette: plot.palette,
    svg: plot.svg.clone().remove(),
    fill: (_, draw) => draw(skyline.pen()),
    stroke: () => undefined,
    write: () => undefined,
  });
  for (const shift of [0, 0.5])
    plot.stroke(plot.palette.text, (pen) =>
      skyline.draw({
        ...pen,
        moveTo: (x, y) => pen.moveTo(x, y + shift),
        lineTo: (x, y) => pen.lineTo(x, y + shift),
      }),
    );
}
