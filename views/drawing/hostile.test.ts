import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { DRAWINGS } from '../../shared/panel/index.ts';
import { drawStillPanel } from './draw-panel.ts';
import { HOSTILE_DRAWINGS, HOSTILE_ROWS, MARKUP, panelOfSelect } from './testing.ts';

/** Drawings that show no text of their rows. */
const WITHOUT_TEXT = ['table', 'histogram', 'number'];

test.each(DRAWINGS)('a still of %s shows markup of the trace as text, and holds none', async (kind) => {
  const { body } = parseHTML('<!doctype html><html><body></body></html>').document;
  const panel = await panelOfSelect(HOSTILE_DRAWINGS[kind], HOSTILE_ROWS);
  expect(panel.rows).toHaveLength(7);
  drawStillPanel(body, panel);
  const names = [...body.querySelectorAll('*')].map(({ localName }) => localName);
  expect(names.filter((name) => /^(img|script|foreignObject|a)$/i.test(name))).toEqual([]);
  const texts = [...body.querySelectorAll('text')].map(({ textContent }) => textContent);
  expect(texts.some((text) => text.startsWith(MARKUP.slice(0, 8)))).toBe(!WITHOUT_TEXT.includes(kind));
  expect(body.innerHTML.includes(MARKUP)).toBe(false);
});
