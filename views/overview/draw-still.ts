import { formatCount, formatDuration } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import { StillPage, stillPalette } from '../kit/index.ts';
import { hasStrip, MARGINS, stripChart, stripHeight, stripLegend } from './chart.ts';
import type { OverviewModel } from './model.ts';
import type { params } from './params.ts';
import { cutWords, factWords, findingWords, processWords, verdictWords } from './words.ts';

/** How many characters of a sentence a line of the picture holds. */
const LINE = 170;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: OverviewModel,
  context: ViewContext<typeof params>,
): () => void {
  const page = new StillPage(container, 'Overview', []);
  const facts = factWords(model).map(([name, value]) => `${name} ${value}`);
  page.text(facts.join('  ·  '), { color: stillPalette.muted, gap: 14 });
  if (hasStrip(model)) {
    page.legend(stripLegend(model, stillPalette));
    page.chart(stripHeight(model), MARGINS, (plot) => stripChart(model)(plot, context.range));
  }
  const cut = cutWords(model);
  if (cut !== null) page.text(cut, { color: stillPalette.muted, gap: 10 });
  page.text(`Findings: ${findingWords(model)}`, { size: 14, gap: 10 });
  for (const { seconds_lost, title, sentence } of model.later?.findings.findings ?? []) {
    page.text(`${formatDuration(seconds_lost * 1e9)}  ${title}`, { gap: 4 });
    for (const line of lines(sentence)) page.text(`    ${line}`, { color: stillPalette.muted, gap: 4 });
  }
  const waits = model.later?.waits ?? [];
  if (waits.length > 0) {
    page.space(10);
    page.text('Worst ready waits', { size: 14, gap: 10 });
  }
  for (const wait of waits) {
    const thread = `${wait.process ?? 'unknown process'} (tid ${wait.tid ?? '?'})`;
    page.text(`${formatDuration(wait.dur)}  ${thread}: ${verdictWords(wait)}`, { gap: 5 });
  }
  if (model.processes.length > 0) {
    page.space(10);
    page.text('Processes by CPU time', { size: 14, gap: 10 });
  }
  for (const process of model.processes) {
    page.text(`${formatDuration(process.ran_ns)}  ${processWords(process)}`, { gap: 5 });
  }
  page.space(10);
  page.text('Recorded', { size: 14, gap: 10 });
  for (const { what, events, shown_by } of model.recorded) {
    page.text(`${formatCount(events)}  ${what}: ${shown_by}`, { gap: 5 });
  }
  page.space(10);
  for (const { what, record } of model.missing) {
    page.text(`Not recorded: ${what}. Recorded by: ${record}.`, { color: stillPalette.muted, gap: 5 });
  }
  return page.finish();
}

/** A text in lines that break between words. */
function lines(text: string): string[] {
  const found: string[] = [];
  for (const word of text.split(' ')) {
    const last = found.at(-1);
    if (last !== undefined && last.length + word.length < LINE) found[found.length - 1] = `${last} ${word}`;
    else found.push(word);
  }
  return found;
}
