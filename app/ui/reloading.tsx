import { reload } from './state.ts';

const STAGES = { hash: 'Reading the file', convert: 'Converting events', load: 'Loading the trace' } as const;

/** How far the engine is that loads the open trace again; nothing where none does. */
export function Reloading() {
  const now = reload.value;
  if (now === null) return null;
  const { stage, fraction } = now;
  return (
    <span class="reloading" role="status">
      {STAGES[stage]} again{fraction === null ? '' : `: ${Math.floor(fraction * 100)} %`}
      <progress
        max={1}
        {...(fraction === null ? {} : { value: fraction })}
        aria-label={`${STAGES[stage]} again`}
      />
    </span>
  );
}
