import { notePlace } from './place-sql.ts';
import { isRunning } from './run.ts';
import { activeId, activeTab, closeTab, openTab, tabs, tabTitle, type QueryTab } from './tabs.ts';

/** The tabs, and one more. */
export function TabBar() {
  const show = (id: number) => {
    activeId.value = id;
    notePlace();
  };
  const open = () => {
    if (activeTab.peek()?.sql.trim() !== '') openTab('');
    notePlace();
  };
  return (
    <div class="tab-bar" role="tablist" aria-label="Queries">
      {tabs.value.map((tab) => (
        <Tab key={tab.id} tab={tab} show={() => show(tab.id)} />
      ))}
      <button type="button" class="icon" title="One more query" aria-label="New query" onClick={open}>
        +
      </button>
    </div>
  );
}

function Tab({ tab, show }: { readonly tab: QueryTab; readonly show: () => void }) {
  const active = tab.id === activeTab.value?.id;
  const title = tabTitle(tab);
  return (
    <span class={active ? 'tab active' : 'tab'}>
      <button type="button" role="tab" aria-selected={active} title={tab.sql} onClick={show}>
        {title}
        {isRunning(tab.run) && ' …'}
      </button>
      {!isRunning(tab.run) && (
        <button
          type="button"
          class="icon"
          aria-label={`Close ${title}`}
          onClick={() => {
            closeTab(tab.id);
            notePlace();
          }}
        >
          ×
        </button>
      )}
    </span>
  );
}
