import { Dialog } from './dialog.tsx';
import { commands, type Command } from './commands.ts';
import { views } from '../../views/index.ts';
import { keysShown } from './state.ts';

/** The list of keys, made from the table of commands. */
export function Keys() {
  const close = () => (keysShown.value = false);
  return (
    <Dialog kind="keys" label="Keys" close={close}>
      <div class="groups">
        <Group group="Time" />
        <Group group="View" />
        <Group group="Views" />
        {views
          .filter(({ keys = [] }) => keys.length > 0)
          .map(({ id, title, keys = [] }) => (
            <section key={id}>
              <h3>In {title}</h3>
              <dl>
                {keys.map(({ key, title: meaning }) => (
                  <KeyRow key={key} title={meaning} labels={[key]} />
                ))}
              </dl>
            </section>
          ))}
        <section>
          <h3>In a table</h3>
          <dl>
            <KeyRow title="Choose the row" labels={['Enter']} />
            <KeyRow title="Mark the time of the row in all views" labels={['M', 'Shift click']} />
            <KeyRow title="Move" labels={['↑', '↓', 'Page Up', 'Page Down', 'Home', 'End']} />
            <KeyRow title="See columns that are cut" labels={['←', '→']} />
            <KeyRow title="From the first row: to the headings; Enter sorts by one" labels={['↑']} />
          </dl>
        </section>
        <section>
          <h3>In a flame graph</h3>
          <dl>
            <KeyRow title="Move, and see what is there" labels={['↑', '↓', '←', '→']} />
            <KeyRow title="Zoom in" labels={['Enter']} />
            <KeyRow title="Zoom out" labels={['Backspace']} />
            <KeyRow title="Copy the stack" labels={['Ctrl C']} />
          </dl>
        </section>
        <Group group="App" />
      </div>
      <p class="hint">
        On a time axis: drag zooms to what it covers, Shift and drag moves, Ctrl and wheel zooms, Shift and
        wheel or sideways wheel moves, double click shows the whole trace, Shift and click marks.
      </p>
    </Dialog>
  );
}

function Group({ group }: Pick<Command, 'group'>) {
  return (
    <section>
      <h3>{group}</h3>
      <dl>
        {commands
          .filter((command) => command.group === group && command.keys.length > 0)
          .map(({ id, title, keys }) => (
            <KeyRow key={id} title={title} labels={keys.map(({ label }) => label)} />
          ))}
      </dl>
    </section>
  );
}

function KeyRow({ title, labels }: { readonly title: string; readonly labels: readonly string[] }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {labels.map((label) => (
          <kbd key={label}>{label}</kbd>
        ))}
      </dd>
    </div>
  );
}
