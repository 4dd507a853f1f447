import { effect } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Panel, PanelFault } from '../../../shared/panel/index.ts';
import type { ParamSpecs, ParamValues } from '../../../shared/view/index.ts';
import { drawPanel } from '../../../views/drawing/index.ts';
import type { Session } from '../session.ts';
import { loaded, marks, range, selection, shownTheme, toggleMark, zoomTo } from '../state.ts';
import { followRow } from './click.ts';
import { keepLoaded, type PanelState } from './keep-loaded.ts';

/** What a {@link PanelBody} shows. */
export interface PanelBodyProps {
  readonly session: Session;
  readonly panel: Panel;
  readonly values: ParamValues<ParamSpecs>;
  readonly asTable: boolean;
  /** Told when the panel turns out to be wrong, and when it no longer is; the caller then shows it. */
  readonly onFault?: (fault: PanelFault | null) => void;
}

/** The picture of a panel, which follows what the panel follows. */
export function PanelBody({ session, panel, values, asTable, onFault }: PanelBodyProps) {
  const element = useRef<HTMLDivElement>(null);
  const [{ model, fault, busy }, setState] = useState<PanelState>({ model: null, fault: null, busy: true });
  const key = JSON.stringify(values);
  const kept = useMemo(() => values, [key]);
  useEffect(
    () => keepLoaded(session, panel, kept, (change) => setState((state) => ({ ...state, ...change }))),
    [session, panel.text, kept],
  );
  useEffect(() => onFault?.(fault), [fault]);
  const theme = shownTheme.value;
  useEffect(() => {
    const trace = loaded.peek();
    if (element.current === null || model === null || trace === null) return;
    const clicks = model.click !== null;
    return drawPanel(element.current, model, {
      trace: trace.summary,
      // The rows of a panel that follows no range are of the whole trace: it shows what is in view of them.
      range: range.peek(),
      selection: selection.peek(),
      onRange: (listener) => effect(() => listener(range.value)),
      onSelection: (listener) => effect(() => listener(selection.value, marks.value)),
      toggleMark,
      zoomTo,
      asTable,
      name: `panel/${model.id}`,
      choose: clicks ? (row) => void followRow(session, model, row).catch(() => undefined) : undefined,
    });
  }, [model, theme, asTable]);
  return (
    <div class="panel-body" aria-busy={busy}>
      {busy && <div class="busy-line" />}
      {fault !== null && onFault === undefined && <Fault fault={fault} />}
      <div ref={element} class="panel-drawing" />
    </div>
  );
}

/** What is wrong with a panel, and at which line. */
export function Fault({ fault: { line, column, message } }: { readonly fault: PanelFault }) {
  return (
    <p class="query-error" role="alert">
      {line !== null && (
        <b>
          Line {line}
          {column !== null && `, column ${column}`}:{' '}
        </b>
      )}
      {message}
    </p>
  );
}
