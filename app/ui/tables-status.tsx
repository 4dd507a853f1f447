import { withIncluded } from '../../shared/sql/modules.ts';
import { currentView } from './state.ts';
import { tablesProgress } from './tables.ts';

/** In the view's place: which of the tables that the view needs is being built; nothing once it has them. */
export function ViewTables() {
  const progress = tablesProgress.value;
  const needed = withIncluded(currentView.value?.modules ?? []);
  if (progress?.building == null) return null;
  const built = needed.filter((module) => progress.built.has(module)).length;
  if (built === needed.length) return null;
  return (
    <div class="view-tables" role="status">
      <p>
        Building the tables that this view reads: <code>{progress.building}</code>, {built + 1} of{' '}
        {needed.length}
      </p>
      <progress max={needed.length} value={built} aria-label="Tables built" />
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
