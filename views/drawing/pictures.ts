import type { DrawingKind, PanelModel } from '../../shared/panel/index.ts';
import { areaPicture } from './area.ts';
import { barsPicture } from './bars.ts';
import { flamePicture } from './flame.ts';
import { heatPicture } from './heatmap.ts';
import { histogramPicture } from './histogram.ts';
import { linesPicture, scatterPicture } from './lines.ts';
import { marksPicture } from './marks.ts';
import { numberPicture } from './number.ts';
import type { Picture } from './picture.ts';
import { spansPicture } from './spans.ts';

const PICTURES: Readonly<Record<Exclude<DrawingKind, 'table'>, (panel: PanelModel) => Picture>> = {
  bars: barsPicture,
  lines: linesPicture,
  area: areaPicture,
  histogram: histogramPicture,
  heatmap: heatPicture,
  scatter: scatterPicture,
  spans: spansPicture,
  flame: flamePicture,
  marks: marksPicture,
  number: numberPicture,
};

/** The picture of a panel; null for one that is a table. */
export function pictureOf(panel: PanelModel): Picture | null {
  const { kind } = panel.drawing;
  return kind === 'table' ? null : PICTURES[kind](panel);
}
