import { formatBytes, formatDuration } from '../model/index.ts';
import { markLetter } from '../view/index.ts';
import type { LinkedCard } from './dashboard.ts';
import type { TracePart } from './part.ts';
import type { LinkedTrace, LinkState } from './state.ts';

/** What a link tells those who get it, as pairs of a name and a text; for people to look over before they send it. */
export function describeState({
  title,
  trace,
  from,
  place,
  panels,
  dashboard,
}: LinkState): [string, string][] {
  const lines: [string, string | null][] = [
    ['name', title],
    ['trace', trace === null ? null : describeTrace(trace)],
    ['content', trace?.id ?? null],
    ['part', trace?.part ? describePart(trace.part) : null],
    ['server', trace?.server ?? null],
    ['file', from ?? null],
    ['view', place.view],
    ['params', describeParams(place.params)],
    ['SQL', place.sql],
    ['range', place.range && describeSpan(place.range)],
    ['chosen span', place.selection.span && describeSpan(place.selection.span)],
    ['thread', place.selection.thread && `tid ${place.selection.thread.tid}`],
    ['process', place.selection.pid === null ? null : `pid ${place.selection.pid}`],
    ['marks', place.marks.map((mark) => `${markLetter(mark)}: ${mark.label}`).join('; ')],
    ['dashboard', dashboard ? `${dashboard.title}: ${describePanels(dashboard.panels)}` : null],
    ['panels', describePanels(panels.map((each) => ({ ...each, panel: each.name })))],
  ];
  return lines.filter((line): line is [string, string] => Boolean(line[1]));
}

function describeParams(params: Readonly<Record<string, unknown>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name} = ${String(value)}`)
    .join(', ');
}

function describePanels(panels: readonly Pick<LinkedCard, 'panel' | 'params'>[]): string {
  return panels.map(({ panel, params = {} }) => `${panel} ${describeParams(params)}`.trim()).join('; ');
}

function describeTrace({ name, sizeBytes }: LinkedTrace): string {
  return [name, sizeBytes === null ? '' : formatBytes(sizeBytes)].filter((text) => text !== '').join(', ');
}

/** On the trace clock, which is all that a link knows. */
function describeSpan({ start, end }: { readonly start: number; readonly end: number }): string {
  return `${formatDuration(end - start)} from ${(start / 1e9).toFixed(9)} s on the trace clock`;
}

function describePart({ from, to, only, skip }: TracePart): string {
  return [
    from === null ? '' : `from ${from}`,
    to === null ? '' : `to ${to}`,
    only.length > 0 ? `only ${only.join(', ')}` : '',
    skip.length > 0 ? `without ${skip.join(', ')}` : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}
