import { computed } from '@preact/signals';
import type { OpenProgress } from '../host/api.ts';
import { withIncluded } from '../../shared/sql/modules.ts';
import { STAGE_TITLES } from './opening.tsx';
import { currentView, loaded } from './state.ts';
import { modulesFor, tablesProgress, wholeProgress } from './tables.ts';

/** The table that is being built while the view in use lacks some that it reads; null once it has them. */
export const awaited = computed(() => {
  const progress = tablesProgress.value;
  const [trace, view] = [loaded.value, currentView.value];
  if (progress?.building == null || trace === null || view === undefined) return null;
  const needed = withIncluded(modulesFor(view, trace));
  const built = needed.filter((module) => progress.built.has(module)).length;
  return built === needed.length ? null : { building: progress.building, built, needed: needed.length };
});

/** In the view's place: which of the tables that the view needs is being built; nothing once it has them. */
export function ViewTables() {
  if (awaited.value === null) return null;
  const { building, built, needed } = awaited.value;
  const whole = wholeProgress.value;
  if (whole !== null) {
    return (
      <div class="view-tables" role="status">
        <p>Loading all of the trace, which this view asks: {inWords(whole)}</p>
        <progress max={1} value={whole.fraction ?? 0} aria-label="Part that is loaded" />
      </div>
    );
  }
  return (
    <div class="view-tables" role="status">
      <p>
        Building the tables that this view reads: <code>{building}</code>, {built + 1} of {needed}
      </p>
      <progress max={needed} value={built} aria-label="Tables built" />
    </div>
  );
}

/** That tables are built in the background; nothing once all are there. */
export function BackgroundTables() {
  const progress = tablesProgress.value;
  const whole = wholeProgress.value;
  if (whole !== null) {
    return (
      <span
        class="background-tables"
        title="SQL and some views ask all of the trace. It is loaded in the background."
      >
        {inWords(whole)}
      </span>
    );
  }
  if (progress?.building == null) return null;
  return (
    <span class="background-tables" title="What other views read is built in the background.">
      Building {progress.building} ({progress.built.size} ready)
    </span>
  );
}

/** Which stage of a loading there is, and how much of it is done. */
function inWords({ stage, fraction }: OpenProgress): string {
  return `${STAGE_TITLES[stage]} for SQL${fraction === null ? '' : `: ${Math.floor(fraction * 100)} %`}`;
}
