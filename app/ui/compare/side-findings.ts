import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { TableBuilder } from '../../../shared/engine/index.ts';
import { NO_OWN_RULES, type Findings, type ToldFindings } from '../../../shared/findings/index.ts';
import { modulesNamedIn } from '../../../shared/sql/modules.ts';
import { outlineAnswers } from '../../../shared/sql-file/index.ts';
import { messageOf } from '../../../shared/model/index.ts';
import type { ExtraTrack } from '../../../shared/view/index.ts';
import { findIn, flagsOf } from '../extra-tracks/findings.ts';
import type { Session } from '../session.ts';
import type { LoadedTrace } from '../state.ts';
import { userRules } from '../user-rules.ts';
import { openThere } from './open-there.ts';

/** What the rules say of a trace that is compared, as flags; they run while the timeline of both is shown. */
export function useFindingFlags(session: Session, trace: LoadedTrace): ReadonlySignal<ExtraTrack> {
  const { found, flags } = useMemo(() => {
    const found = signal<{ readonly all: Findings | null; readonly error: string | null } | null>(null);
    const flags = computed(() => flagsOf(found.value, ({ proof }) => openThere(session, trace, proof)));
    return { found, flags };
  }, [session, trace]);
  const rules = userRules.value;
  useEffect(() => {
    const abort = new AbortController();
    const show = (all: Findings | null, error: string | null) => {
      if (!abort.signal.aborted) found.value = { all, error };
    };
    findIn(session, trace, rules, abort.signal, tablesOf(session, trace, abort.signal)).then(
      (all) => show(all, null),
      (error: unknown) => show(null, messageOf(error)),
    );
    return () => abort.abort();
  }, [found, rules]);
  return flags;
}

/** What the rules that come with Outrank find in a trace that is compared: a comparison may be opened where other rules are. */
export function findingsOf(session: Session, trace: LoadedTrace, signal: AbortSignal): Promise<ToldFindings> {
  return findIn(session, trace, NO_OWN_RULES, signal, tablesOf(session, trace, signal));
}

/** Builds what a text asks for in a trace that is compared. */
function tablesOf(
  session: Session,
  trace: LoadedTrace,
  signal: AbortSignal,
): (text: string) => Promise<void> {
  const tables = new TableBuilder(session.traceQuery(trace, signal), () => undefined);
  const hasColumns = trace.opened.tables !== undefined;
  return async (text) => {
    if (!hasColumns || !outlineAnswers(text)) await tables.need(modulesNamedIn(text));
  };
}
