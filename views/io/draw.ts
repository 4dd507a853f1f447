import { formatCount, formatDuration } from '../../shared/model/index.ts';
import type { ViewContext, ViewTable } from '../../shared/view/index.ts';
import {
  addEmpty,
  addNotes,
  addPanel,
  addSection,
  addStats,
  drawLegend,
  drawTable,
  endAll,
  HISTOGRAM_MARGINS,
  livePlot,
  makeTooltip,
  paletteOf,
  stepChart,
  stepLegend,
  timePlot,
} from '../kit/index.ts';
import {
  durationsChart,
  ioAt,
  ioLines,
  iosChart,
  iosLegend,
  IOS_MARGINS,
  RATE_MARGINS,
  rateLines,
  ratesChart,
  type Measure,
} from './chart.ts';
import { addChosenWait, chosenRow } from './chosen-wait.ts';
import type { Io, IoGroup, IoModel } from './model.ts';
import type { params } from './params.ts';
import { kindTable, shownIos, shownPaths, shownProcesses } from './tables.ts';
import { emptyWords, pathsCutWords, summaryWords } from './words.ts';

type Context = ViewContext<typeof params>;

const CHART_PX = 220;

/** Draws the view into a window. Returns what undoes it. */
export function drawIo(container: HTMLElement, model: IoModel, context: Context): () => void {
  if (model.is_recorded) addNotes(container, model.notes);
  if (model.summary.count === 0) {
    addEmpty(container, ...emptyWords(model));
    return endAll([], container);
  }
  const { p50_ns, p90_ns, p99_ns, max_ns, ended } = model.summary;
  if (ended > 0) {
    addStats(container, [
      ['p50', formatDuration(p50_ns)],
      ['p90', formatDuration(p90_ns)],
      ['p99', formatDuration(p99_ns)],
      ['longest', formatDuration(max_ns)],
    ]);
  }
  const top = addSection(container, 'io-charts');
  top.style.cssText = 'display: grid; gap: 12px; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr)';
  const ends = [drawRates(top, model, context)];
  if (ended > 0) {
    const panel = addPanel(top, 'By duration', 'both scales logarithmic');
    const label = 'How many took how long. The key T shows the counts as a table.';
    const plot = livePlot(panel, label, HISTOGRAM_MARGINS, durationsChart(model));
    plot.element.style.height = `${CHART_PX}px`;
    ends.push(() => plot.end(), drawIos(container, model, context));
  }
  ends.push(drawGroups(container, model, context));
  ends.push(drawKinds(container, model), drawList(container, model, context));
  return endAll(ends, container);
}

function drawRates(parent: HTMLElement, model: IoModel, context: Context): () => void {
  const measure = context.params.measure as Measure;
  const title = measure === 'depth' ? 'I/O under way over time (queue depth)' : 'I/O over time';
  const panel = addPanel(parent, title, summaryWords(model));
  const chart = ratesChart(model, measure);
  drawLegend(panel, stepLegend(paletteOf(panel), chart));
  return timePlot(panel, context, {
    label: 'I/O per second over time, by disk and direction. The key T shows the numbers.',
    margins: RATE_MARGINS,
    height_px: CHART_PX,
    draw: stepChart(chart),
    events: { tooltip: makeTooltip(panel), at: ({ ts }) => rateLines(model, ts), lines: (lines) => lines },
  });
}

function drawIos(parent: HTMLElement, model: IoModel, context: Context): () => void {
  const panel = addPanel(parent, 'Longest, over time', 'a bar from start to end, duration on a log scale');
  drawLegend(panel, iosLegend(paletteOf(panel), model));
  return timePlot(panel, context, {
    label: 'The listed I/O over time, by duration. The table below holds the same.',
    margins: IOS_MARGINS,
    height_px: CHART_PX,
    draw: iosChart(model),
    events: {
      tooltip: makeTooltip(panel),
      at: (point) => ioAt(point, model),
      lines: ioLines,
      choose: (io) => choose(io, context),
      mark: ({ ts, kind, path }) => ({ ts, label: `${kind} ${path ?? ''}`.trim() }),
    },
  });
}

function choose({ ts, dur, tid, pid }: Io, context: Context): void {
  context.select({
    span: { start: ts, end: ts + (dur ?? 0) },
    thread: tid === null ? null : { tid, ts },
    pid,
  });
}

function drawGroups(parent: HTMLElement, model: IoModel, context: Context): () => void {
  const { process, path } = context.params;
  const drawn = (
    table: ViewTable,
    rows: readonly IoGroup[],
    chosen: (row: IoGroup) => boolean,
    pick: (row: IoGroup, isChosen: boolean) => void,
    cut = '',
  ) => {
    const at = rows.findIndex(chosen);
    const click = at === -1 ? 'click: only this' : 'click again: all';
    const panel = addPanel(parent, table.title, cut === '' ? click : `${cut}; ${click}`);
    panel.style.setProperty('--table-height', '240px');
    return drawTable(panel, table, {
      origin_ns: model.origin_ns,
      name: `io/${table.title}`,
      chosen: at,
      onChoose: (index) => {
        const row = rows[index];
        if (row !== undefined) pick(row, index === at);
      },
    });
  };
  const ends = [
    drawn(
      shownProcesses(model),
      model.processes,
      ({ pid }) => pid !== null && String(pid) === process,
      ({ pid }, isChosen) => {
        if (pid !== null) context.setParams({ process: isChosen ? null : String(pid) });
      },
    ),
    drawn(
      shownPaths(model),
      model.paths,
      ({ name }) => name !== null && name === path,
      ({ name }, isChosen) => {
        if (name !== null) context.setParams({ path: isChosen ? null : name });
      },
      pathsCutWords(model),
    ),
  ];
  return endAll(ends);
}

function drawKinds(container: HTMLElement, model: IoModel): () => void {
  const table = kindTable(model);
  const panel = addPanel(container, table.title, 'how long each took');
  return drawTable(panel, table, { origin_ns: model.origin_ns, name: 'io/kinds' });
}

function drawList(container: HTMLElement, model: IoModel, context: Context): () => void {
  const { ios, summary } = model;
  const table = shownIos(model);
  const aside =
    ios.length < summary.count
      ? `the longest ${formatCount(ios.length)} of ${formatCount(summary.count)}; click: choose, M: mark`
      : `${formatCount(summary.count)}; click: choose, M: mark`;
  const panel = addPanel(container, table.title, aside);
  const endWait = addChosenWait(panel, model, context);
  const endTable = drawTable(panel, table, {
    origin_ns: model.origin_ns,
    context,
    name: 'io/ios',
    chosen: (selection) => chosenRow(model, selection),
    onChoose: (row) => {
      const io = ios[row];
      if (io !== undefined) choose(io, context);
    },
  });
  return () => {
    endTable();
    endWait();
  };
}
