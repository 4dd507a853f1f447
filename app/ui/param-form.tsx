import type { AnyView } from '../../views/index.ts';
import { ParamControls } from './param-controls.tsx';
import { currentParams, place, setParams } from './state.ts';

/** A view's params as form controls, made from their specifications. */
export function ParamForm({ view }: { readonly view: AnyView }) {
  const shown = Object.entries(view.params).filter(([, spec]) => spec.chosen !== true);
  if (shown.length === 0) return null;
  const changed = shown.some(([name]) => Object.hasOwn(place.value.params, name));
  return (
    <form class="params" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
      <ParamControls specs={Object.fromEntries(shown)} values={currentParams.value} set={setParams} />
      {changed && (
        <button
          type="button"
          class="plain"
          onClick={() => setParams(Object.fromEntries(shown.map(([name, spec]) => [name, spec.default])))}
        >
          Reset
        </button>
      )}
    </form>
  );
}
