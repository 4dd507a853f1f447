import type { Session } from '../session.ts';
import { DashboardPage } from './dashboard-page.tsx';
import { PanelPage } from './panel-page.tsx';
import { PanelsPage } from './panels-page.tsx';
import { panelsShown } from './places.ts';

/** What of panels is shown in the place of a view. */
export function PanelsMain({ session }: { readonly session: Session }) {
  const shown = panelsShown.value;
  switch (shown?.page) {
    case 'list':
      return <PanelsPage session={session} />;
    case 'panel':
      return <PanelPage key={shown.id} session={session} id={shown.id} />;
    case 'dashboard':
      return <DashboardPage key={shown.id} session={session} id={shown.id} />;
    default:
      return null;
  }
}
