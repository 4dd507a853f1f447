import { isOutlineModule } from '../sql/modules.ts';
import type { ParamSpecs } from './params.ts';
import type { View } from './view.ts';

/** Whether the first model of a view needs no more of a trace than its outline and its tables in columns. */
export function isDrawnFromOutline<M>({
  fromColumns,
  modules,
}: Pick<View<ParamSpecs, M>, 'fromColumns' | 'modules'>): boolean {
  return fromColumns === true || modules.every(isOutlineModule);
}

/** Whether what a view adds to its first model needs no more either. */
export function isLaterFromOutline({
  fromColumns,
  modules,
}: {
  readonly fromColumns?: true;
  readonly modules: readonly string[];
}): boolean {
  return fromColumns === true || modules.every(isOutlineModule);
}

/** Whether nothing that a view loads needs more. */
export function isAllFromOutline<M>(
  view: Pick<View<ParamSpecs, M>, 'fromColumns' | 'modules' | 'later'>,
): boolean {
  return isDrawnFromOutline(view) && (view.later === undefined || isLaterFromOutline(view.later));
}
