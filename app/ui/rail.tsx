import { views } from '../../views/index.ts';
import { currentView, openView } from './state.ts';

/** The views, at the side. */
export function Rail() {
  return (
    <nav class="rail" aria-label="Views">
      <h2>Views</h2>
      <ul>
        {views.map(({ id, title, question }) => (
          <li key={id}>
            <button
              type="button"
              title={question}
              aria-current={currentView.value?.id === id ? 'page' : undefined}
              onClick={() => openView(id)}
            >
              {title}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
