import { parseHTML } from 'linkedom';
import { expect } from 'vitest';
import {
  readParams,
  stillContext,
  type ParamSpecs,
  type TimeRange,
  type View,
  type ViewContext,
} from '../../shared/view/index.ts';

/** The picture that a view makes of a model without a user: one SVG, and its texts in their order. */
export function stillOf<P extends ParamSpecs, M>(
  view: View<P, M>,
  model: M,
  range: TimeRange,
  params: Readonly<Record<string, unknown>> = {},
  more: Partial<Pick<ViewContext<P>, 'selection' | 'detail' | 'tracks'>> = {},
) {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const context = stillContext({ range, cpuCount: 1 }, range, readParams(view.params, params));
  view.draw(document.body, model, { ...context, ...more });
  const [svg, ...others] = document.body.children;
  expect([svg?.localName, others]).toEqual(['svg', []]);
  const texts = [...document.body.querySelectorAll('text')].map(({ textContent }) => textContent);
  return { svg: document.body, texts };
}
