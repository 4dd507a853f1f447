import type { ParamSpecs, View, ViewContext } from '../../shared/view/index.ts';
import { empty, notes, type Page } from './blocks.ts';
import { joinPages } from './second-page.ts';
import { StillPage } from './still-page.ts';
import { drawBlocksStill } from './still-of-page.ts';
import { WindowPage } from './window-page.ts';

/** What the model of a view says of its recording. */
export interface RecordedModel {
  /** Times count from here, in ns. */
  readonly origin_ns: number;
  /** Why there is nothing to show: what was not recorded, and what records it. Null where there may be something. */
  readonly unrecorded?: string | null;
  /** What the view cannot know, and what recording would give it. */
  readonly notes?: readonly string[];
}

/** A view whose picture is a page of blocks. */
export type PageView<P extends ParamSpecs, M> = Omit<View<P, M>, 'draw'> & {
  /** The page of a model, below the notes. It is asked for only where there may be something to show. */
  readonly page: (model: M, context: ViewContext<P>) => Page;
};

/** Makes a view of a page: in a window, or as one SVG that measures nothing. */
export function pageView<P extends ParamSpecs, M extends RecordedModel>({
  page,
  ...view
}: PageView<P, M>): View<P, M> {
  const pageOf = (model: M, context: ViewContext<P>) => wholePage(model, () => page(model, context));
  const withSecond = (model: M, context: ViewContext<P>): Page => {
    const { second } = context;
    const { unrecorded = null } = model;
    if (second === undefined || unrecorded !== null) return pageOf(model, context);
    const [other, { trace, range, later_ns, inA }] = [second.model as M, second];
    // What one side did not record is no zero.
    if (other.unrecorded != null) return [empty('B', other.unrecorded), ...pageOf(model, context)];
    const notesOfB = (other.notes ?? []).map((note) => `B: ${note}`);
    const pageOfB = page(other, { ...context, trace, range });
    const joined = joinPages(page(model, context), pageOfB, { later_ns, inA });
    const all = [...(model.notes ?? []), ...notesOfB];
    return [all.length === 0 ? null : notes(all), ...joined];
  };
  return {
    ...view,
    draw(container, model, context) {
      if (context.still) {
        const still = new StillPage(container, view.title, model.notes ?? []);
        if (model.unrecorded == null) drawBlocksStill(still, page(model, context), context);
        return still.finish();
      }
      const place = { name: view.id, origin_ns: model.origin_ns, context };
      const shown = new WindowPage(container, place);
      const update = (next: M, now: ViewContext<P>) => shown.show(withSecond(next, now));
      update(model, context);
      return { update, end: () => shown.end() };
    },
  };
}

function wholePage({ unrecorded = null, notes: known = [] }: RecordedModel, page: () => Page): Page {
  const shown = known.filter((note) => note !== unrecorded);
  const noted = shown.length === 0 ? null : notes(shown);
  return unrecorded === null ? [noted, ...page()] : [noted, empty('Not recorded', unrecorded)];
}
