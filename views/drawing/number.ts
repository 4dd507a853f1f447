import type { PanelModel } from '../../shared/panel/index.ts';
import type { Margins } from '../kit/index.ts';
import type { Picture } from './picture.ts';
import { DrawnRows, rowLines } from './rows.ts';

const MARGINS: Margins = { top: 8, right: 16, bottom: 8, left: 16 };
const HEIGHT_PX = 108;
const LINE_PX = 16;

/** One number, and how it stands to its bounds; null where there are none. */
export interface NumberModel {
  readonly text: string;
  readonly level: 'good' | 'warn' | 'bad' | null;
  /** What each bound is, in words; empty where there are none. */
  readonly bounds: readonly string[];
}

/** The number of a panel's first row. A `bad` below `warn` means that less is worse. */
export function numberModel(panel: PanelModel): NumberModel {
  const { warn, bad } = panel.drawing;
  const rows = new DrawnRows(panel);
  const value = rows.count === 0 ? null : rows.number(0, 'value');
  const sign = warn !== null && bad !== null && bad < warn ? -1 : 1;
  const reaches = (bound: number | null) => value !== null && bound !== null && sign * value >= sign * bound;
  const level = warn === null && bad === null ? null : reaches(bad) ? 'bad' : reaches(warn) ? 'warn' : 'good';
  const words = sign === 1 ? 'from' : 'down from';
  const said = [
    ...(warn === null ? [] : [`worth a look ${words} ${rows.format('value', warn)}`]),
    ...(bad === null ? [] : [`wrong ${words} ${rows.format('value', bad)}`]),
  ];
  return {
    text: rows.format('value', value),
    level: value === null ? null : level,
    bounds: said,
  };
}

/** One number, large, with a word that says how it stands. */
export function numberPicture(panel: PanelModel): Picture {
  const { text, level, bounds } = numberModel(panel);
  const words = { good: 'good', warn: 'worth a look', bad: 'wrong' };
  return {
    timed: false,
    height_px: HEIGHT_PX,
    margins: MARGINS,
    notes: [],
    legend: () => [],
    draw(plot) {
      const { palette } = plot;
      const colors = { good: palette.series[2], warn: palette.series[3], bad: palette.series[0] };
      const write = (content: string, y: number, size: number, color: string) =>
        plot.svg.append('text').attr('y', y).attr('font-size', size).attr('fill', color).text(content);
      write(text, 40, 36, level === null ? palette.text : colors[level]).attr('font-weight', 600);
      const lines = level === null ? [] : [words[level], ...bounds];
      // A line each, since a panel may be narrow.
      lines.forEach((line, at) => write(line, 62 + at * LINE_PX, 12, palette.muted));
    },
    at: () => (panel.rows.length === 0 ? null : { row: 0, lines: rowLines(panel, 0) }),
  };
}
