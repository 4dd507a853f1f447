import { computed } from '@preact/signals';
import { withIncluded } from '../../shared/sql/modules.ts';
import { currentView } from './state.ts';
import { tablesProgress } from './tables.ts';

/** The table that is being built while the view in use lacks some that it reads; null once it has them. */
export const awaited = computed(() => {
  const progress = tablesProgress.value;
  if (progress?.building == null) return null;
  const needed = withIncluded(currentView.value?.modules ?? []);
  const built = needed.filter((module) => progress.built.has(module)).length;
  return built === needed.length ? null : { building: progress.building, built, needed: needed.length };
});

/** In the view's place: which of the tables that the view needs is being built; nothing once it has them. */
export function ViewTables() {
  if (awaited.value === null) return null;
  const { building, built, needed } = awaited.value;
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
  if (progress?.building == null) return null;
  return (
    <span class="background-tables" title="What other views read is built in the background.">
      Building {progress.building} ({progress.built.size} ready)
    </span>
  );
}
