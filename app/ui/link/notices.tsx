import { signal } from '@preact/signals';

/** Something that the user is told without being stopped. */
interface Notice {
  readonly title: string;
  readonly lines: readonly string[];
}

const notice = signal<Notice | null>(null);

/** A notice without lines says that something was done, and goes by itself. */
const SHOWN_MS = 5_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Tells the user something; what was told before goes. */
export function tell(title: string, lines: readonly string[]): void {
  clearTimeout(timer);
  notice.value = { title, lines };
  if (lines.length === 0) timer = setTimeout(dismiss, SHOWN_MS);
}

function dismiss(): void {
  notice.value = null;
}

/** What the user is told, above the page. */
export function Notices() {
  const told = notice.value;
  if (told === null) return null;
  return (
    <div class="notice" role="status">
      <div>
        <p>{told.title}</p>
        {told.lines.length > 0 && (
          <ul>
            {told.lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </div>
      <button type="button" class="icon" aria-label="Dismiss" onClick={dismiss}>
        ×
      </button>
    </div>
  );
}
