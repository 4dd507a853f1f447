/** What the keys of the timeline do. */
export interface TrackKeys {
  isActive(event: KeyboardEvent): boolean;
  /** Says whether the pointer is where it can zoom. */
  zoomAtPointer(factor: number): boolean;
  move(by: number): void;
  enter(): void;
  beside(step: -1 | 1): void;
  chain(step: -1 | 1): void;
  pin(): void;
  heighten(): void;
  order(): void;
}

const ZOOM_FACTOR = 0.8;
const PAGE_TRACKS = 10;

/** Whether keys are text to what has the focus, or its own. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof Element &&
    target.matches('input, textarea, select, button, dialog *, [role=grid], [role=grid] *')
  );
}

/** Lets the keys act on the tracks. Returns what unbinds them. */
export function bindTrackKeys(document: Document, keys: TrackKeys): () => void {
  const bound = new AbortController();
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!keys.isActive(event) || !runs(event, keys)) return;
      event.preventDefault();
    },
    { signal: bound.signal },
  );
  return () => bound.abort();
}

function runs({ code, key, shiftKey }: KeyboardEvent, keys: TrackKeys): boolean {
  if (code === 'KeyW') return keys.zoomAtPointer(ZOOM_FACTOR);
  if (code === 'KeyS') return keys.zoomAtPointer(1 / ZOOM_FACTOR);
  const does: Readonly<Record<string, () => void>> = {
    ArrowDown: () => keys.move(1),
    ArrowUp: () => keys.move(-1),
    PageDown: () => keys.move(PAGE_TRACKS),
    PageUp: () => keys.move(-PAGE_TRACKS),
    Enter: () => keys.enter(),
    '.': () => keys.beside(1),
    ',': () => keys.beside(-1),
    '[': () => keys.chain(-1),
    ']': () => keys.chain(1),
    x: () => keys.pin(),
    h: () => keys.heighten(),
    o: () => keys.order(),
  };
  const run = shiftKey ? undefined : does[key.length === 1 ? key.toLowerCase() : key];
  run?.();
  return run !== undefined;
}
