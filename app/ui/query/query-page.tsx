import { useEffect } from 'preact/hooks';
import type { Session } from '../session.ts';
import { EditorPane } from './editor-pane.tsx';
import { followPlace } from './place-sql.ts';
import { ResultPane } from './result-pane.tsx';
import { TabBar } from './tab-bar.tsx';
import { activeTab, keepTabs } from './tabs.ts';

/** SQL above, its rows below. */
export function QueryPage({ session }: { readonly session: Session }) {
  useEffect(() => {
    const ends = [followPlace(), keepTabs()];
    return () => ends.forEach((end) => end());
  }, []);
  const tab = activeTab.value;
  if (tab === undefined) return null;
  return (
    <div class="query-page">
      <TabBar />
      <EditorPane session={session} tab={tab} />
      <ResultPane key={tab.id} session={session} tab={tab} />
    </div>
  );
}
