import type { SideName } from '../../../shared/compare/index.ts';
import type { ParamSpecs } from '../../../shared/view/index.ts';
import type { AnyView } from '../../../views/index.ts';
import type { readFitting } from '../state.ts';
import { comparePlace, setCompare, type LookParams } from './place.ts';

/** Params of a view that hold for both sides: those that were not chosen by hand on one. */
export function sharedSpecs({ params }: Pick<AnyView, 'params'>): ParamSpecs {
  return Object.fromEntries(Object.entries(params).filter(([, { chosen }]) => chosen !== true));
}

/** Changes params on one side: what was chosen by hand there stays there, the rest is of both. */
export function setLookParams(
  view: Pick<AnyView, 'params'>,
  side: SideName,
  change: Partial<ReturnType<typeof readFitting>>,
): void {
  const now = comparePlace.peek()?.lookParams;
  if (now === undefined) return;
  const specs = sharedSpecs(view);
  const part = (isShared: boolean) =>
    Object.fromEntries(
      Object.entries(change).filter(([name]) => Object.hasOwn(specs, name) === isShared),
    ) as LookParams['both'];
  setCompare({
    lookParams: { ...now, both: { ...now.both, ...part(true) }, [side]: { ...now[side], ...part(false) } },
  });
}
