import type { ParamSpecs, ParamValues, TraceSummary, TimeRange, View } from '../../shared/view/index.ts';

/** What a still picture shows. */
export interface Still<P extends ParamSpecs, M> {
  readonly view: View<P, M>;
  readonly model: M;
  readonly trace: TraceSummary;
  readonly range: TimeRange;
  readonly params: ParamValues<P>;
}

/** The picture of a view as one SVG document, drawn without a browser. */
export async function drawStill<P extends ParamSpecs, M>(still: Still<P, M>): Promise<string> {
  // Loaded here alone, since no other command needs a DOM.
  const { parseHTML } = await import('linkedom');
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const container = document.body;
  const nothing = (): void => undefined;
  still.view.draw(container, still.model, {
    trace: still.trace,
    range: still.range,
    selection: { span: null, thread: null, pid: null },
    params: still.params,
    still: true,
    zoomTo: nothing,
    select: nothing,
    setParams: nothing,
    openView: nothing,
  });
  const pictures = [...container.querySelectorAll('svg')];
  if (pictures.length === 0)
    throw new Error(`${still.view.id}: this view has no picture: take --format table`);
  return stack(pictures);
}

/** Several pictures become one, below each other. */
function stack(pictures: readonly Element[]): string {
  let [width_px, height_px] = [0, 0];
  const placed = pictures.map((picture) => {
    picture.setAttribute('y', String(height_px));
    width_px = Math.max(width_px, Number(picture.getAttribute('width')));
    height_px += Number(picture.getAttribute('height'));
    return picture.outerHTML;
  });
  const size = `width="${width_px}" height="${height_px}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>\n${placed.join('\n')}\n</svg>\n`;
}
