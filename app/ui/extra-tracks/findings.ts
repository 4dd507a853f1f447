import { batch, computed, effect, signal } from '@preact/signals';
import {
  runAllRules,
  shippedRules,
  timeLost,
  type Finding,
  type Findings,
  type ToldFindings,
} from '../../../shared/findings/index.ts';
import { messageOf } from '../../../shared/model/index.ts';
import type { ExtraTrack, UserRules } from '../../../shared/view/index.ts';
import { views } from '../../../views/index.ts';
import { goTo, loaded, zoomTo, type LoadedTrace } from '../state.ts';
import type { Session } from '../session.ts';
import { needSql } from '../tables.ts';
import { userRules } from '../user-rules.ts';
import { loadedView } from '../view-parts/load-parts.ts';

/** What the rules say of a trace; null while they run. */
interface Found {
  readonly trace: LoadedTrace;
  readonly rules: UserRules;
  readonly all: Findings | null;
  /** Why they did not run; null where they did, or do. */
  readonly error: string | null;
}

const found = signal<Found | null>(null);

// What Overview has found is not looked for again.
effect(() => {
  const shown = loadedView.value;
  if (shown?.view.id !== 'overview') return;
  const { findings } = shown.model as { readonly findings: Findings | null };
  if (findings === null) return;
  found.value = { trace: shown.trace, rules: userRules.peek(), all: findings, error: null };
});

/** Has the rules run for the open trace, and again with each change of the user's rules. Returns what ends that. */
export function keepFindings(session: Session): () => void {
  return effect(() => {
    const [trace, rules] = [loaded.value, userRules.value];
    const known = found.peek();
    if (trace === null || (known?.trace === trace && known.rules === rules && known.all !== null)) return;
    const abort = new AbortController();
    const show = (change: Pick<Found, 'all' | 'error'>) => {
      if (!abort.signal.aborted) found.value = { trace, rules, ...change };
    };
    show({ all: null, error: null });
    findIn(session, trace, rules, abort.signal, needSql).then(
      (all) => show({ all, error: null }),
      (error: unknown) => show({ all: null, error: messageOf(error) }),
    );
    return () => abort.abort();
  });
}

/** What the rules find in a trace, once `need` has built the tables that the text of each asks for. */
export async function findIn(
  session: Session,
  trace: LoadedTrace,
  rules: UserRules,
  signal: AbortSignal,
  need: (text: string) => Promise<unknown>,
): Promise<ToldFindings> {
  // Those that come with Outrank need no more than outline and columns.
  const needed = trace.opened.tables === undefined ? [...shippedRules, ...rules.files] : rules.files;
  for (const { text } of needed) await need(text);
  return runAllRules(session.traceQuery(trace, signal), rules, trace.summary.range);
}

/** The findings of the open trace as flags, or why there are none. */
export const findingsTrack = computed(() =>
  flagsOf(found.value?.trace === loaded.value ? found.value : null, openProof),
);

/** Findings as flags, or why there are none; null while nothing is known of them. `open` shows the proof of one. */
export function flagsOf(
  known: Pick<Found, 'all' | 'error'> | null,
  open: (finding: Finding) => void,
): ExtraTrack {
  const findings = [...(known?.all?.findings ?? [])].sort(
    ({ where: { span: a } }, { where: { span: b } }) => a.start - b.start,
  );
  return {
    name: 'findings',
    label: 'Findings',
    aside: asideOf(known),
    draw: 'flags',
    known: null,
    most: null,
    items: findings.map(({ title, where: { span } }) => ({
      ts: span.start,
      te: span.end,
      name: title,
      value: null,
    })),
    about: (item) => {
      const finding = findings[item];
      if (finding === undefined) return { facts: [], selection: null, open: null };
      const { sentence, proof } = finding;
      return {
        facts: [
          ['Found', sentence],
          ['Lost, at most', timeLost(finding)],
        ],
        selection: proof.selection,
        open: { title: `Open the proof in ${titleOf(proof.view)}`, run: () => open(finding) },
      };
    },
  };
}

function asideOf(known: Pick<Found, 'all' | 'error'> | null): string {
  if (known?.error != null) return 'not looked for';
  if (known?.all == null) return 'looking …';
  const { length } = known.all.findings;
  return length === 0 ? 'none' : String(length);
}

function titleOf(id: string): string {
  return views.find((view) => view.id === id)?.title ?? id;
}

function openProof({ proof: { view, params, range, selection } }: Finding): void {
  batch(() => {
    goTo({ view, params, selection });
    zoomTo(range);
  });
}
