import type { ParamSpecs, ParamValues } from './params.ts';
import type { Selection, TimeRange, TraceSummary, ViewContext } from './view.ts';

const NOTHING: Selection = { span: null, thread: null, pid: null };

/** The context of a picture that is made without a user: what a view asks of the app goes nowhere. */
export function stillContext<P extends ParamSpecs>(
  trace: TraceSummary,
  range: TimeRange,
  params: ParamValues<P>,
  selection: Selection = NOTHING,
): ViewContext<P> {
  const nothing = () => undefined;
  return {
    trace,
    range,
    selection,
    params,
    still: true,
    zoomTo: nothing,
    select: nothing,
    setParams: nothing,
    openView: nothing,
  };
}
