import { STAGE_TITLES } from './opening.tsx';
import { reload } from './state.ts';

/** How far the engine is that loads the open trace again; nothing where none does. */
export function Reloading() {
  const now = reload.value;
  if (now === null) return null;
  const { stage, fraction } = now;
  return (
    <span class="reloading" role="status">
      {STAGE_TITLES[stage]} again{fraction === null ? '' : `: ${Math.floor(fraction * 100)} %`}
      <progress
        max={1}
        {...(fraction === null ? {} : { value: fraction })}
        aria-label={`${STAGE_TITLES[stage]} again`}
      />
    </span>
  );
}
