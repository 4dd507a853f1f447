import { useEffect, useMemo, useState } from 'preact/hooks';
import { messageOf } from '../../../shared/model/index.ts';
import type { TimeRange } from '../../../shared/view/index.ts';
import type { AnyView } from '../../../views/index.ts';
import { BUILDING, type ModelSource } from '../../host/model-source/index.ts';
import type { BuildingQuestion } from '../../models/index.ts';
import type { LoadedTrace, readFitting } from '../state.ts';
import type { Comparer } from './run.ts';

/** A view's model of a trace that is compared, as far as it is. */
export interface ShownModel {
  /** Answers what the drawn view asks. */
  readonly source: ModelSource;
  /** Null before the first is there; the last one while another is made. */
  readonly model: unknown;
  /** Why it could not be made; null otherwise. */
  readonly failure: string | null;
}

/** Makes the model of a view for a trace that is compared, and again when its params or its range change. */
export function useModel(
  comparer: Comparer,
  trace: LoadedTrace,
  view: AnyView,
  params: ReturnType<typeof readFitting>,
  range: TimeRange,
): ShownModel {
  const [model, setModel] = useState<unknown>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const source = useMemo(() => comparer.sourceOf(trace), [trace.opened.id]);
  useEffect(() => () => source.end(), [source]);
  useEffect(() => {
    const abort = new AbortController();
    const call = { signal: abort.signal };
    const wanted = { view: view.id, params, range };
    const show = (next: unknown) => {
      if (!abort.signal.aborted && next !== null) setModel(next);
    };
    const load = async () => {
      const question: BuildingQuestion = { modules: [...view.modules, ...(view.later?.modules ?? [])] };
      await source.ask(BUILDING, question, call);
      show(await source.load('load', wanted, call));
      if (!abort.signal.aborted) setFailure(null);
      if (view.later !== undefined) show(await source.load('later', wanted, call));
    };
    load().catch((error: unknown) => {
      if (!abort.signal.aborted) setFailure(messageOf(error));
    });
    return () => abort.abort();
  }, [source, view, JSON.stringify([params, range])]);
  return { source, model, failure };
}
