import { isOutlineModule } from '../sql/modules.ts';
import type { ParamSpecs } from './params.ts';
import type { View } from './view.ts';

/** Whether a load of a view, of its first model or of what is added later, needs no more of a trace than its outline and its columns. */
export function isDrawnFromOutline({
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
  return isDrawnFromOutline(view) && (view.later === undefined || isDrawnFromOutline(view.later));
}
