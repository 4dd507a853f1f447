import type { ComponentChildren } from 'preact';
import { ParamControls } from '../param-controls.tsx';
import type { Session } from '../session.ts';
import { libraryPanels } from './library.ts';
import { Fault, PanelBody } from './panel-body.tsx';
import { openPanel } from './places.ts';
import { UnreadText } from './unread.tsx';
import { changedParams, panelValues } from './values.ts';

type Params = Readonly<Record<string, string | number | boolean | null>>;

/** What a {@link PanelCard} shows. */
export interface PanelCardProps {
  readonly session: Session;
  readonly id: string;
  readonly params: Params;
  readonly setParams: (params: Params) => void;
  /** Buttons in the heading. */
  readonly children?: ComponentChildren;
}

/** A panel with its heading and its params, among others. */
export function PanelCard({ session, id, params, setParams, children }: PanelCardProps) {
  const found = libraryPanels.value.find((each) => each.id === id);
  const panel = found?.read.panel ?? null;
  return (
    <section class="panel panel-card" aria-label={panel?.title ?? id}>
      <header class="section-heading">
        <button type="button" class="plain" title={panel?.description} onClick={() => openPanel(id, params)}>
          <h2>{panel?.title ?? id}</h2>
        </button>
        <span class="space" />
        {children}
      </header>
      {panel !== null && Object.keys(panel.params).length > 0 && (
        <form class="params" onSubmit={(event) => event.preventDefault()}>
          <ParamControls
            specs={panel.params}
            values={panelValues(panel, params)}
            set={(change) => setParams(changedParams(panel, params, change))}
          />
        </form>
      )}
      {found === undefined && <p class="query-error">There is no panel of this name on this machine.</p>}
      {found?.read.fault != null && <Fault fault={found.read.fault} />}
      {panel !== null && found?.confirmed === false && <UnreadText session={session} found={found} />}
      {panel !== null && found?.confirmed === true && (
        <PanelBody session={session} panel={panel} values={panelValues(panel, params)} asTable={false} />
      )}
    </section>
  );
}
