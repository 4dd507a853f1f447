import { useEffect, useRef } from 'preact/hooks';
import { commands, type Command } from './commands.ts';
import { keysShown } from './state.ts';

const GROUPS: readonly Command['group'][] = ['Time', 'View', 'App'];

/** The list of keys, made from the table of commands. */
export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => (keysShown.value = false);
  return (
    <dialog ref={dialog} class="keys" aria-label="Keys" onClose={close}>
      <header class="section-heading">
        <h2>Keys</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      {GROUPS.map((group) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl>
            {commands
              .filter((command) => command.group === group)
              .map(({ id, title, keys }) => (
                <div key={id}>
                  <dt>{title}</dt>
                  <dd>
                    {keys.map(({ label }) => (
                      <kbd key={label}>{label}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
      <p class="hint">
        On a time axis: drag zooms to what it covers, Shift and drag moves, Ctrl and wheel zooms, Shift and
        wheel moves, double click shows the whole trace.
      </p>
    </dialog>
  );
}
