import { asTables } from './state.ts';

/** Chooses between the picture and its equal tables. */
export function ShowAs() {
  return (
    <div class="switch" role="group" aria-label="Show as">
      <button type="button" aria-pressed={!asTables.value} onClick={() => (asTables.value = false)}>
        Picture
      </button>
      <button type="button" aria-pressed={asTables.value} onClick={() => (asTables.value = true)}>
        Tables
      </button>
    </div>
  );
}
