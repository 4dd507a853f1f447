import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Dialog } from '../dialog.tsx';
import type { TimeRange } from '../../../shared/view/index.ts';
import { formatBytes, formatTime } from '../../../shared/model/index.ts';
import type { Session } from '../session.ts';
import { loaded, range, type LoadedTrace } from '../state.ts';
import { requestOf, SAFE, type ExportChoice } from './export-choice.ts';
import { ProcessList } from './process-list.tsx';
import { exportShown, ExportRun, type ExportPhase } from './run-export.ts';
import { TextTable } from './text-table.tsx';

/** Changes that follow one another faster than this are looked into once. */
const SETTLED_MS = 400;

/** Gives the open trace away: what is inside, how large it is, and what is taken out. */
export function ExportDialog({ session }: { readonly session: Session }) {
  const trace = loaded.value;
  return trace === null ? null : <OpenDialog key={trace.opened.id} session={session} trace={trace} />;
}

interface OpenDialogProps {
  readonly session: Session;
  readonly trace: LoadedTrace;
}

function OpenDialog({ session, trace }: OpenDialogProps) {
  const { opened, summary } = trace;
  const run = useMemo(() => new ExportRun(session, opened), []);
  const [choice, setChoice] = useState<ExportChoice>(SAFE);
  const request = requestOf(choice, opened.part);
  useEffect(() => () => run.end(), []);
  const isFirst = useRef(true);
  useEffect(() => {
    const timer = setTimeout(() => void run.look(request), isFirst.current ? 0 : SETTLED_MS);
    isFirst.current = false;
    return () => clearTimeout(timer);
  }, [JSON.stringify(request)]);
  const change = (part: Partial<ExportChoice>) => setChoice({ ...choice, ...part });
  const close = () => (exportShown.value = false);
  const phase = run.phase.value;
  const report = run.report.value;
  return (
    <Dialog kind="export" label="Export" heading={`Export ${opened.name}`} close={close}>
      <p class="hint">
        Writes a trace to give away. What is not known to be harmless is removed or stands under a pseudonym
        that cannot be turned back; the recording stays as it is, and nothing is sent.
      </p>
      <RangeChoice
        whole={summary.range}
        chosen={choice.range}
        choose={(chosen) => change({ range: chosen })}
      />
      <ProcessList
        session={session}
        chosen={choice.processes}
        choose={(processes) => change({ processes })}
      />
      {report !== null && (
        <TextTable
          report={report}
          choose={(kind, action) => change({ actions: { ...choice.actions, [kind]: action } })}
        />
      )}
      <p class="export-state" role="status" aria-live="polite">
        {said(phase)}
        {report !== null && phase.kind !== 'failed' && (
          <>
            {' '}
            The export {phase.kind === 'written' ? 'takes' : 'would take'} {formatBytes(report.output_bytes)};
            the recording takes {formatBytes(opened.sizeBytes)}.
          </>
        )}
      </p>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={phase.kind === 'writing' || report === null}
          onClick={() => void run.write(request)}
        >
          Export…
        </button>
        {(phase.kind === 'writing' || phase.kind === 'looking') && (
          <progress value={phase.fraction ?? undefined} aria-label="Progress" />
        )}
      </div>
    </Dialog>
  );
}

function said(phase: ExportPhase): string {
  switch (phase.kind) {
    case 'looking':
      return 'Looking through the recording.';
    case 'writing':
      return 'Writing.';
    case 'looked':
      return '';
    case 'written':
      return phase.where;
    case 'failed':
      return phase.message;
  }
}

interface RangeChoiceProps {
  readonly whole: TimeRange;
  readonly chosen: TimeRange | null;
  readonly choose: (range: TimeRange | null) => void;
}

/** All of the trace, or the range that is in view. */
function RangeChoice({ whole, chosen, choose }: RangeChoiceProps) {
  const shown = range.value;
  const isPart = shown.start > whole.start || shown.end < whole.end;
  const at = (ts: number): string => formatTime(ts, whole.start);
  return (
    <fieldset class="export-range">
      <legend>Range</legend>
      <label>
        <input type="radio" name="range" checked={chosen === null} onChange={() => choose(null)} /> All that
        is open
      </label>
      <label>
        <input
          type="radio"
          name="range"
          disabled={!isPart}
          checked={chosen !== null}
          onChange={() => choose(shown)}
        />{' '}
        What is in view{' '}
        <span class="hint">
          {isPart ? `${at(shown.start)} to ${at(shown.end)}` : 'zoom in to choose a part'}
        </span>
      </label>
    </fieldset>
  );
}
