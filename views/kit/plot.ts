import * as d3 from 'd3';
import { paletteOf, stillPalette, type Palette } from './palette.ts';

/** The path commands that canvas and SVG share; D3's shapes draw with them too. */
export type Pen = Pick<d3.Path, 'moveTo' | 'lineTo' | 'closePath' | 'rect' | 'arc'>;

/** Writes a text in a colour that is set, beginning at `x`, or ending there, or around it, standing on `y`. */
export type Write = (text: string, x: number, y: number, at?: TextPlace) => void;

/** Where a text lies at its `x`. */
export type TextPlace = 'begin' | 'middle' | 'end';

/** What texts look like. */
export interface TextLook {
  readonly size_px: number;
  readonly weight: number;
  /** The colour around the letters, that parts them from what is below. */
  readonly halo?: string;
}

/** Space around a plot's area, for axes and labels, in px. */
export interface Margins {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** An area to draw one chart in, with its origin at the top left of the inner area. Sizes in px. */
export interface Plot {
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
  /** Few marks, axes and labels: ordinary SVG. */
  readonly svg: d3.Selection<SVGGElement, unknown, null, undefined>;
  /** Many marks of one colour at once: a canvas in a window, one SVG path in a still. */
  fill(color: string, draw: (pen: Pen) => void): void;
  /** As {@link fill}, for thin lines. */
  stroke(color: string, draw: (pen: Pen) => void): void;
  /** As {@link fill}, for texts, small ones on marks unless `look` says more. They are decoration: nothing reads them out. */
  write(color: string, draw: (write: Write) => void, look?: TextLook): void;
  /** Says to a screen reader what the chart shows now. Absent in stills. */
  describe?(text: string): void;
  /** Puts pixels of a picture, one px each, with their upper left corner at `x`, `y`. Absent in stills. */
  pixels?(picture: ImageData, x: number, y: number): void;
}

/** A chart that draws itself anew at each size. */
export type Chart = (plot: Plot) => void;

/** A chart in a window: follows its element's size. It draws at most once a frame, however often it is told to. */
export interface LivePlot {
  readonly element: HTMLElement;
  /** Draws chart and overlay again at the same size. */
  redraw(): void;
  /** Draws only the overlay again. */
  redrawOverlay(): void;
  /** The plot as last drawn, for pointers; null before the first drawing. */
  current(): Plot | null;
  end(): void;
}

/** Small texts on marks. */
const SMALL: TextLook = { size_px: 10.5, weight: 600 };
/** How far a halo reaches around letters, on both sides together. */
const HALO_PX = 4;
const ANCHORS = { begin: null, middle: 'middle', end: 'end' } as const;
const ALIGNS = { begin: 'left', middle: 'center', end: 'right' } as const;

/** Puts `chart` into a still picture, with its outer top left at `x`, `y`. */
export function stillPlot(
  root: d3.Selection<SVGSVGElement, unknown, null, undefined>,
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  margins: Margins,
  chart: Chart,
): void {
  const place = (layer: d3.Selection<SVGGElement, unknown, null, undefined>) =>
    layer.attr('transform', `translate(${box.x + margins.left},${box.y + margins.top})`);
  const marks = place(root.append('g'));
  const layer = place(root.append('g'));
  const draw = (paint: 'fill' | 'stroke') => (color: string, shape: (pen: Pen) => void) => {
    const path = d3.pathRound(2);
    shape(path);
    const mark = marks.append('path').attr('d', path.toString());
    if (paint === 'fill') mark.attr('fill', color);
    else mark.attr('fill', 'none').attr('stroke', color);
  };
  chart({
    width: box.width - margins.left - margins.right,
    height: box.height - margins.top - margins.bottom,
    palette: stillPalette,
    svg: layer,
    fill: draw('fill'),
    stroke: draw('stroke'),
    write: (color, texts, { size_px, weight, halo } = SMALL) => {
      const group = layer.append('g').attr('fill', color).attr('pointer-events', 'none');
      group.attr('font-size', size_px).attr('font-weight', weight);
      if (halo !== undefined)
        group.attr('stroke', halo).attr('stroke-width', HALO_PX).attr('paint-order', 'stroke');
      texts((text, x, y, at = 'begin') => {
        group.append('text').attr('x', x).attr('y', y).attr('text-anchor', ANCHORS[at]).text(text);
      });
    },
  });
}

/**
 * Puts `chart` into a window: a canvas for dense marks below an SVG for the rest. `label` names it for screen readers.
 * `overlay` draws above the chart, on SVG alone.
 */
export function livePlot(
  parent: HTMLElement,
  label: string,
  margins: Margins,
  chart: Chart,
  overlay: Chart = () => undefined,
): LivePlot {
  const document = parent.ownerDocument;
  const element = parent.appendChild(document.createElement('div'));
  element.className = 'plot';
  const canvas = element.appendChild(document.createElement('canvas'));
  canvas.ariaHidden = 'true';
  const svg = d3.select(element).append('svg').attr('role', 'img').attr('aria-label', label);
  const layer = () => svg.append('g').attr('transform', `translate(${margins.left},${margins.top})`);
  const chartLayer = layer();
  const overlayLayer = layer();
  let fontFamily = '';
  // As the observer tells it: to ask the element would lay the page out in the middle of a frame.
  let size = { width: 0, height: 0 };
  let current: Plot | null = null;
  let frame: number | null = null;
  let chartIsStale = false;

  const drawChart = () => {
    const pen = canvas.getContext('2d');
    const { width, height } = size;
    if (width === 0 || height === 0 || pen === null) return;
    // A page may be made before it is put into the document, where it has no font yet.
    fontFamily ||= getComputedStyle(element).fontFamily;
    const ratio = devicePixelRatio;
    fitCanvas(canvas, pen, Math.round(width * ratio), Math.round(height * ratio));
    pen.setTransform(ratio, 0, 0, ratio, margins.left * ratio, margins.top * ratio);
    chartLayer.selectAll('*').remove();
    current = {
      width: Math.max(1, width - margins.left - margins.right),
      height: Math.max(1, height - margins.top - margins.bottom),
      palette: paletteOf(element),
      svg: chartLayer,
      fill: (color, shape) => {
        pen.beginPath();
        pen.fillStyle = color;
        shape(fillingPen(pen, ratio));
        pen.fill();
      },
      stroke: (color, shape) => {
        pen.beginPath();
        shape(pen);
        pen.strokeStyle = color;
        pen.lineWidth = 1;
        pen.stroke();
      },
      write: (color, texts, { size_px, weight, halo } = SMALL) => {
        pen.fillStyle = color;
        pen.font = `${weight} ${size_px}px ${fontFamily}`;
        if (halo !== undefined) {
          pen.strokeStyle = halo;
          pen.lineWidth = HALO_PX;
        }
        texts((text, x, y, at = 'begin') => {
          pen.textAlign = ALIGNS[at];
          if (halo !== undefined) pen.strokeText(text, x, y);
          pen.fillText(text, x, y);
        });
      },
      describe: (text) => svg.attr('aria-description', text),
      pixels: (picture, x, y) => putPixels(pen, picture, x, y, ratio, margins),
    };
    chart(current);
  };
  const draw = () => {
    frame = null;
    if (chartIsStale) drawChart();
    chartIsStale = false;
    overlayLayer.selectAll('*').remove();
    if (current !== null) overlay({ ...current, svg: overlayLayer });
  };
  const redrawOverlay = () => {
    frame ??= requestAnimationFrame(draw);
  };
  const redraw = () => {
    chartIsStale = true;
    redrawOverlay();
  };
  const observer = new ResizeObserver(([entry]) => {
    const { width = 0, height = 0 } = entry?.contentRect ?? {};
    size = { width, height };
    svg.attr('width', width).attr('height', height);
    chartIsStale = true;
    if (frame !== null) cancelAnimationFrame(frame);
    // At once: the observer is called after layout and before the frame is painted.
    draw();
  });
  observer.observe(element);
  return {
    element,
    redraw,
    redrawOverlay,
    current: () => current,
    end: () => {
      observer.disconnect();
      if (frame !== null) cancelAnimationFrame(frame);
    },
  };
}

/**
 * Fills rectangles one by one: as parts of one path they are tried against every line of pixels, which thousands of tall
 * bars make dear. Edges of what is at least a pixel wide lie between pixels, so that neighbours show no seam.
 */
function fillingPen(pen: CanvasRenderingContext2D, ratio: number): Pen {
  const snap = (at: number) => Math.round(at * ratio) / ratio;
  const edges = (from: number, length: number) => {
    if (Math.abs(length) * ratio < 1) return { from, length };
    return { from: snap(from), length: snap(from + length) - snap(from) };
  };
  return {
    moveTo: (x, y) => pen.moveTo(x, y),
    lineTo: (x, y) => pen.lineTo(x, y),
    closePath: () => pen.closePath(),
    arc: (...args) => pen.arc(...args),
    rect: (x, y, width, height) => {
      const across = edges(x, width);
      const down = edges(y, height);
      pen.fillRect(across.from, down.from, across.length, down.length);
    },
  };
}

/** A canvas of its own scales a picture where the display has several pixels for one. */
function putPixels(
  pen: CanvasRenderingContext2D,
  picture: ImageData,
  x: number,
  y: number,
  ratio: number,
  margins: Margins,
): void {
  if (ratio === 1) {
    pen.putImageData(picture, x + margins.left, y + margins.top);
    return;
  }
  const canvas = pen.canvas.ownerDocument.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')?.putImageData(picture, 0, 0);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(canvas, x, y);
}

/** Clears a canvas and gives it its size; a size that it has already is left, since to set it makes a new bitmap. */
function fitCanvas(
  canvas: HTMLCanvasElement,
  pen: CanvasRenderingContext2D,
  width: number,
  height: number,
): void {
  if (canvas.width === width && canvas.height === height) {
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, width, height);
    return;
  }
  canvas.width = width;
  canvas.height = height;
}
