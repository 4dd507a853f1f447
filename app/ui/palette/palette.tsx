import { useEffect, useMemo, useState } from 'preact/hooks';
import { useModal } from '../dialog.tsx';
import type { Session } from '../session.ts';
import { paletteShown } from '../state.ts';
import { askedEntries, commandEntries, pastedEntries, type Entry } from './entries.ts';
import { fuzzyFind } from './fuzzy.ts';

/** More matches than this are found by typing on. */
const SHOWN = 60;
const PAGE = 8;

/** The command palette: typed letters find, arrow keys choose, Enter runs. */
export function CommandPalette({ session }: { readonly session: Session }) {
  const dialog = useModal();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [asked, setAsked] = useState<readonly Entry[]>([]);
  const atHand = useMemo(() => commandEntries(session), [session]);
  const found = useMemo(
    () => [
      ...pastedEntries(session, typed),
      ...fuzzyFind([...atHand, ...asked], typed, ({ kind, title }) => `${title} ${kind}`, SHOWN),
    ],
    [session, atHand, asked, typed],
  );
  useEffect(() => {
    let open = true;
    askedEntries(session).then(
      (entries) => open && setAsked(entries),
      // Without an engine there are commands still.
      () => undefined,
    );
    return () => {
      open = false;
    };
  }, [session]);
  useEffect(() =>
    dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
  );

  const close = () => (paletteShown.value = false);
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    close();
    // After the dialog is gone and the focus is back where it was.
    setTimeout(() => entry.run());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: PAGE,
      PageUp: -PAGE,
    };
    const by = moves[event.key];
    if (by !== undefined) setAt(Math.max(0, Math.min(found.length - 1, at + by)));
    else if (event.key === 'Enter') run(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Command palette" onClose={close}>
      <input
        type="text"
        list={undefined}
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={found.length > 0 ? `palette-${at}` : undefined}
        aria-label="Find commands, views, panels, processes, threads and recent traces"
        placeholder="Commands, views, panels, processes, threads, recent traces"
        spellcheck={false}
        value={typed}
        onKeyDown={onKeyDown}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setAt(0);
        }}
      />
      <ul id="palette-entries" role="listbox" aria-label="Found">
        {found.map((entry, index) => (
          <li
            key={entry.id}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(entry)}
          >
            <span class="kind">{entry.kind}</span>
            <span class="title">{entry.title}</span>
            {entry.keys.map((label) => (
              <kbd key={label}>{label}</kbd>
            ))}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="hint">Nothing has these letters in this order.</p>}
    </dialog>
  );
}
