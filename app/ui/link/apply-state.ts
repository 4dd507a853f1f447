import type { Place, ReadLink } from '../../../shared/link/index.ts';
import {
  COMPARE_PAGE,
  dashboardPage,
  panelPage,
  PANELS_PAGE,
  QUERY_PAGE,
} from '../../../shared/link/index.ts';
import { ParamError, readParams, type TimeRange } from '../../../shared/view/index.ts';
import { views } from '../../../views/index.ts';

/** Where a link leads in a trace of this range, and what of it does not fit there, in words. */
export function placeIn(
  { state, notes }: ReadLink,
  whole: TimeRange,
): { readonly place: Omit<Place, 'trace'>; readonly notes: readonly string[] } {
  const more: string[] = [];
  const { panels, dashboard } = state;
  const { range, selection, marks, ...rest } = state.place;
  const brought = panels.map(({ name }) => panelPage(name));
  if (dashboard !== undefined) brought.push(dashboardPage(dashboard.name));
  // A comparison reads its own, where it is shown.
  const isBrought = rest.view !== null && [...brought, COMPARE_PAGE].includes(rest.view);
  const view = isBrought ? rest.view : fittingView(rest.view, more);
  // Those of a panel are read with its text, where it is shown.
  const params = isBrought ? rest.params : fittingParams(view, rest.params, more);
  const isIn = (ts: number): boolean => ts >= whole.start && ts <= whole.end;
  const overlaps = range === null || (range.start < whole.end && range.end > whole.start);
  if (!overlaps) more.push('the range is outside the trace: all of it is shown');
  const spanIsIn = selection.span === null || isIn(selection.span.start);
  if (!spanIsIn) more.push('what was chosen is outside the trace: left out');
  const fitting = marks.filter(({ ts }) => isIn(ts));
  const lost = marks.length - fitting.length;
  if (lost > 0) more.push(`${lost} of ${marks.length} marks are outside the trace: left out`);
  return {
    place: {
      ...rest,
      view,
      params,
      range: overlaps ? range : null,
      selection: { ...selection, span: spanIsIn ? selection.span : null },
      marks: fitting,
    },
    notes: [...notes, ...more],
  };
}

function fittingView(id: string | null, notes: string[]): string | null {
  if (id === null || id === QUERY_PAGE || id === PANELS_PAGE || views.some((view) => view.id === id))
    return id;
  notes.push(`there is no view “${id}”: the first is shown`);
  return null;
}

function fittingParams(
  id: string | null,
  params: Place['params'],
  notes: string[],
): Readonly<Record<string, unknown>> {
  const specs = views.find((view) => view.id === id)?.params ?? {};
  const fitting = Object.entries(params).filter(([name, value]) => {
    try {
      readParams(specs, { [name]: value });
      return true;
    } catch (error) {
      if (!(error instanceof ParamError)) throw error;
      notes.push(`${error.message}: left out`);
      return false;
    }
  });
  return Object.fromEntries(fitting);
}
