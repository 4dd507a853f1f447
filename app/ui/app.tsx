import { useSignalEffect } from '@preact/signals';
import { ChoosePart } from './choose-part.tsx';
import { Details } from './details.tsx';
import { ComparePage } from './compare/compare-page.tsx';
import { comparePlace } from './compare/place.ts';
import type { Comparer } from './compare/run.ts';
import { DropZone } from './drop-zone.tsx';
import { Failure, Opening } from './opening.tsx';
import { ExportDialog } from './export/export-dialog.tsx';
import { exportShown } from './export/run-export.ts';
import { Home } from './home.tsx';
import { Issues } from './issues.tsx';
import { Keys } from './keys.tsx';
import { LakeDialog } from './lake-window/lake-dialog.tsx';
import { WindowLake } from './lake-window/window-lake.tsx';
import { LinkDialog, linkDialogShown } from './link/link-dialog.tsx';
import { Notices } from './link/notices.tsx';
import { OpenLinkDialog, openLinkShown } from './link/open-link-dialog.tsx';
import { Wanted } from './link/wanted.tsx';
import { CommandPalette } from './palette/palette.tsx';
import { ParamForm } from './param-form.tsx';
import { PanelsMain } from './panels/panels-main.tsx';
import { panelsShown } from './panels/places.ts';
import { Pins } from './panels/pins.tsx';
import { QueryPage } from './query/query-page.tsx';
import { Rail } from './rail.tsx';
import type { Session } from './session.ts';
import {
  currentView,
  detailsShown,
  issuesShown,
  keysShown,
  paletteShown,
  phase,
  queryShown,
} from './state.ts';
import { symbolsShown } from './symbols/load.ts';
import { SymbolsDialog } from './symbols/symbols-dialog.tsx';
import { TimeBar } from './time-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { ViewArea } from './view-area.tsx';

interface AppProps {
  readonly session: Session | null;
  readonly comparer: Comparer | null;
}

/** The whole page. Without a session only a failure can be shown. */
export function App({ session, comparer }: AppProps) {
  useSignalEffect(() => {
    if (phase.value.kind === 'home') document.title = 'Outrank';
  });
  const now = phase.value;
  return (
    <>
      {session !== null && <DropZone session={session} />}
      {now.kind === 'too_large' && <ChoosePart {...now} />}
      {session !== null && now.kind === 'wanted' && <Wanted session={session} {...now} />}
      {now.kind === 'failed' && <Failure {...now} />}
      {session !== null && now.kind === 'home' && <Home session={session} />}
      {session !== null && now.kind === 'lake' && <WindowLake session={session} />}
      {now.kind === 'opening' && <Opening {...now} />}
      {session !== null && now.kind === 'loaded' && <Workspace session={session} comparer={comparer} />}
      {session !== null && exportShown.value && <ExportDialog session={session} />}
      {keysShown.value && <Keys />}
      {session !== null && linkDialogShown.value && <LinkDialog session={session} />}
      {session !== null && openLinkShown.value && <OpenLinkDialog session={session} />}
      {session !== null && now.kind === 'loaded' && symbolsShown.value && <SymbolsDialog session={session} />}
      {session?.door.lakes !== undefined && <LakeDialog lakes={session.door.lakes} />}
      <Notices />
      {session !== null && paletteShown.value && <CommandPalette session={session} />}
    </>
  );
}

interface WorkspaceProps {
  readonly session: Session;
  readonly comparer: Comparer | null;
}

function Workspace({ session, comparer }: WorkspaceProps) {
  const view = currentView.value;
  return (
    <div class={detailsShown.value ? 'workspace with-details' : 'workspace'}>
      <TopBar session={session} />
      {issuesShown.value && <Issues />}
      <Rail session={session} />
      <TimeBar />
      <main class="main">
        {view !== undefined && <ParamForm key={view.id} view={view} />}
        {queryShown.value ? (
          <QueryPage session={session} />
        ) : comparer !== null && comparePlace.value !== null ? (
          <ComparePage session={session} comparer={comparer} />
        ) : panelsShown.value !== null ? (
          <PanelsMain session={session} />
        ) : (
          <ViewArea session={session} />
        )}
        <Pins session={session} />
      </main>
      {detailsShown.value && <Details session={session} />}
    </div>
  );
}
