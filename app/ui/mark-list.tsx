import { markLetter } from '../../shared/view/index.ts';
import { formatTime } from '../../shared/model/index.ts';
import { markColor, palettes } from '../../views/kit/index.ts';
import { NO_SELECTION } from '../../shared/link/index.ts';
import { goTo, loaded, marks, shownTheme, toggleMark } from './state.ts';

/** The legend of the marks: choose one to go to it, or remove it. Nothing while there are none. */
export function MarkList() {
  const origin_ns = loaded.value?.summary.range.start ?? 0;
  if (marks.value.length === 0) return null;
  const palette = palettes[shownTheme.value];
  return (
    <section class="mark-list" aria-label="Marked events">
      <ul>
        {marks.value.map((mark) => (
          <li key={mark.slot}>
            <button
              type="button"
              class="plain"
              title="Choose this time"
              onClick={() => goTo({ selection: { ...NO_SELECTION, span: { start: mark.ts, end: mark.ts } } })}
            >
              <span class="letter" style={{ borderColor: markColor(palette, mark) }}>
                {markLetter(mark)}
              </span>
              <span class="label">{mark.label}</span>
              <span class="at">{formatTime(mark.ts, origin_ns)}</span>
            </button>
            <button
              type="button"
              class="icon"
              aria-label={`Remove mark ${markLetter(mark)}`}
              title="Remove"
              onClick={() => toggleMark(mark)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <button type="button" class="plain" onClick={() => goTo({ marks: [] })}>
        Remove all <kbd>Shift M</kbd>
      </button>
    </section>
  );
}
