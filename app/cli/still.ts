import {
  stillContext,
  type ExtraTrack,
  type ParamSpecs,
  type ParamValues,
  type TraceSummary,
  type TimeRange,
  type View,
} from '../../shared/view/index.ts';

/** What a still picture shows. */
export interface Still<P extends ParamSpecs, M> {
  readonly view: View<P, M>;
  readonly model: M;
  /** What the view shows of what is chosen; null where nothing is. */
  readonly detail: unknown;
  readonly trace: TraceSummary;
  readonly range: TimeRange;
  readonly params: ParamValues<P>;
  /** Tracks that are not the view's own. */
  readonly tracks?: readonly ExtraTrack[];
}

/** The picture of a view as an SVG document, drawn without a browser. */
export async function drawStill<P extends ParamSpecs, M>(still: Still<P, M>): Promise<string> {
  // Loaded here alone, since no other command needs a DOM.
  const { parseHTML } = await import('linkedom');
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const container = document.body;
  const context = stillContext(still.trace, still.range, still.params);
  still.view.draw(container, still.model, { ...context, detail: still.detail, tracks: still.tracks ?? [] });
  const picture = container.querySelector('svg');
  if (!picture) throw new Error(`${still.view.id}: this view has no picture: take --format table`);
  return `${picture.outerHTML}\n`;
}
