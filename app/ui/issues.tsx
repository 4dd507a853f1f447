import { formatCount } from '../../shared/model/index.ts';
import { issuesShown, loaded } from './state.ts';

/** What the converter and the engine could not read, or lost. */
export function Issues() {
  const opened = loaded.value?.opened;
  if (opened === undefined) return null;
  return (
    <section class="issues" aria-label="Warnings">
      <header class="section-heading">
        <h2>Not all of this trace could be read</h2>
        <button type="button" onClick={() => (issuesShown.value = false)}>
          Close
        </button>
      </header>
      <ul>
        {opened.warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
        {opened.issues.map(({ name, index, value, severity, description }) => (
          <li key={`${name} ${index ?? ''}`}>
            <b>{severity === 'data_loss' ? 'Data loss' : 'Error'}</b> {name}: {formatCount(value)}.{' '}
            {description}
          </li>
        ))}
      </ul>
    </section>
  );
}
