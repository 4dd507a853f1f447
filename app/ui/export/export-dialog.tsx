import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Dialog } from '../dialog.tsx';
import type { TimeRange } from '../../../shared/view/index.ts';
import { formatBytes, formatTime } from '../../../shared/model/index.ts';
import type { ExportReport } from '../../host/export-request.ts';
import { comparePlace } from '../compare/place.ts';
import type { Session } from '../session.ts';
import { loaded, range, type LoadedTrace } from '../state.ts';
import { DestinationChoice, type Destination } from './destination.tsx';
import { NOTHING_OUT, requestOf, SAFE, type ExportChoice } from './export-choice.ts';
import { ProcessList } from './process-list.tsx';
import { exportShown, ExportRun, type ExportPhase } from './run-export.ts';
import { TextTable } from './text-table.tsx';

/** Changes that follow one another faster than this are looked into once. */
const SETTLED_MS = 400;

/** Gives the open trace away: what is inside, how large it is, what is taken out, and where it goes. */
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
  const [isAsItIs, setAsItIs] = useState(false);
  const [destination, setDestination] = useState<Destination | null>({ kind: 'file' });
  const request = isAsItIs ? NOTHING_OUT : requestOf(choice, opened.part);
  useEffect(() => () => run.end(), []);
  const isFirst = useRef(true);
  // At once, so that nothing is given away before it was looked into.
  useLayoutEffect(() => {
    void run.look(request, isFirst.current ? 0 : SETTLED_MS);
    isFirst.current = false;
  }, [JSON.stringify(request)]);
  const change = (part: Partial<ExportChoice>) => setChoice({ ...choice, ...part });
  const close = () => (exportShown.value = false);
  const phase = run.phase.value;
  const report = run.report.value;
  const isBusy = phase.kind === 'writing' || phase.kind === 'looking';
  const isReady = !isBusy && (isAsItIs ? destination?.kind !== 'file' : report !== null);
  return (
    <Dialog kind="export" label="Export" heading={`Give ${opened.name} away`} close={close}>
      <fieldset class="export-choice">
        <legend>What</legend>
        <label>
          <input type="radio" name="what" checked={!isAsItIs} onChange={() => setAsItIs(false)} /> An export:
          what is not known to be harmless is removed or stands under a pseudonym that cannot be turned back
        </label>
        <label>
          <input type="radio" name="what" checked={isAsItIs} onChange={() => setAsItIs(true)} /> The recording
          as it is, whole, with all that is listed here
        </label>
      </fieldset>
      {!isAsItIs && (
        <>
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
        </>
      )}
      {report !== null && (
        <TextTable
          report={report}
          choose={
            isAsItIs ? null : (kind, action) => change({ actions: { ...choice.actions, [kind]: action } })
          }
        />
      )}
      <DestinationChoice isAsItIs={isAsItIs} chosen={destination} choose={setDestination} />
      {!isAsItIs && destination?.kind !== 'file' && (
        <p class="hint">
          The place that is shown goes along by its times and ids, without the names it filters by, labels of
          marks, SQL and panels.
        </p>
      )}
      {destination?.kind === 'bundle' && <Compared isAsItIs={isAsItIs} />}
      <p class="export-state" role="status" aria-live="polite">
        {said(phase)}
        {phase.kind !== 'failed' && sizes(isAsItIs, report, phase.kind, opened.sizeBytes)}
      </p>
      {phase.kind === 'sent' && <Sent {...phase} />}
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={!isReady || destination === null}
          onClick={() => destination !== null && void run.give(isAsItIs ? null : request, destination)}
        >
          {destination?.kind === 'server' ? 'Send' : destination?.kind === 'bundle' ? 'Bundle…' : 'Export…'}
        </button>
        {isBusy && <progress value={phase.fraction ?? undefined} aria-label="Progress" />}
      </div>
    </Dialog>
  );
}

/** What becomes of the traces that the shown page compares with the open one. */
function Compared({ isAsItIs }: { readonly isAsItIs: boolean }) {
  const compared = comparePlace.value;
  if (compared?.other == null) return null;
  const names = [compared.otherName, ...compared.more.map(({ name }) => name)].join(', ');
  return (
    <p class="hint">
      {isAsItIs
        ? `With what it is compared with, whole and as it is too: ${names}.`
        : `The open trace alone: an export goes without what it is compared with (${names}), and without the comparison.`}
    </p>
  );
}

/** The size of what is given away, and the size of the recording. */
function sizes(
  isAsItIs: boolean,
  report: ExportReport | null,
  phase: ExportPhase['kind'],
  recording_bytes: number,
): string {
  if (isAsItIs) return ` The recording takes ${formatBytes(recording_bytes)}.`;
  if (report === null) return '';
  const takes = phase === 'written' || phase === 'sent' ? 'takes' : 'would take';
  return ` The export ${takes} ${formatBytes(report.output_bytes)}; the recording takes ${formatBytes(recording_bytes)}.`;
}

/** What a team server answered: the link, and what deletes the trace again. */
function Sent({ link, deleteToken }: Extract<ExportPhase, { kind: 'sent' }>) {
  return (
    <div class="export-sent">
      <label>
        Link <input type="text" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" onClick={() => void navigator.clipboard.writeText(link)}>
        Copy link
      </button>
      {deleteToken !== null && (
        <p class="hint">
          It can be deleted in the list of traces on the server, or by whoever has this token:{' '}
          <code>{deleteToken}</code>
        </p>
      )}
    </div>
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
    case 'sent':
      return 'It is on the server.';
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
    <fieldset class="export-choice">
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
