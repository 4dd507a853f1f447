import { useEffect, useRef, useState } from 'preact/hooks';
import { formatBytes, formatCount, formatDuration } from '../../../shared/model/index.ts';
import { views } from '../../../views/index.ts';
import { drawResultTable, type ResultTable } from '../result-table/result-table.ts';
import type { Session } from '../session.ts';
import { openView } from '../state.ts';
import { wholeProgress } from '../tables.ts';
import { TooLarge } from '../too-large.tsx';
import { follow, linkOf } from './navigate.ts';
import { endRun, isRunning, MOST_BYTES } from './run.ts';
import { SaveMenu } from './save-menu.tsx';
import type { QueryRun, QueryTab } from './tabs.ts';

/** The rows of a tab, how many and how long; or why there are none. */
export function ResultPane({ session, tab }: { readonly session: Session; readonly tab: QueryTab }) {
  const element = useRef<HTMLDivElement>(null);
  const table = useRef<ResultTable | null>(null);
  const [order, setOrder] = useState<{ readonly busy: boolean; readonly shown: number } | null>(null);
  const [went, setWent] = useState<string | null>(null);
  const { run } = tab;
  const result = run?.result ?? null;
  const drawn = result !== null && result.columns.length > 0;
  useEffect(() => {
    setOrder(null);
    setWent(null);
    if (!drawn || element.current === null) return;
    const made = (table.current = drawResultTable(element.current, result, {
      label: 'Rows',
      linkOf,
      onCell: (row, column) =>
        void follow(session, result, row, column).then(setWent, (error: unknown) => setWent(String(error))),
      onOrder: setOrder,
    }));
    return () => {
      table.current = null;
      made.destroy();
    };
  }, [result, drawn]);
  useEffect(() => table.current?.refresh(), [run?.rowCount]);
  return (
    <section class="result-pane" aria-label="Result" aria-busy={isRunning(run)}>
      {isRunning(run) && <div class="busy-line" />}
      <div class="result-bar">
        <p role="status">{run === null ? 'Ctrl Enter runs the query.' : <Told run={run} />}</p>
        {order !== null && (
          <p class="hint">{order.busy ? 'looking through the rows…' : `${formatCount(order.shown)} shown`}</p>
        )}
        <span class="space" />
        {isRunning(run) && (
          <button type="button" onClick={() => void endRun(session, tab.id)}>
            Cancel
          </button>
        )}
        {drawn && run?.state === 'done' && (
          <SaveMenu result={result} order={() => table.current?.order() ?? null} />
        )}
      </div>
      {run?.error != null && (
        <p class="query-error" role="alert">
          {run.error.place !== null && (
            <b>
              Line {run.error.place.line}, column {run.error.place.column}:{' '}
            </b>
          )}
          {run.error.message}
        </p>
      )}
      {run?.tooLarge !== undefined && <TooLarge session={session} overview={run.tooLarge} what="This SQL" />}
      {went !== null && <Went words={went} />}
      <div ref={element} class="result-rows" />
    </section>
  );
}

const BEYOND = {
  rows: 'beyond the limit of rows',
  bytes: `beyond the ${formatBytes(MOST_BYTES)} of text that the page can hold: ask for fewer columns, or a part of them`,
};

function Told({ run }: { readonly run: QueryRun }) {
  const took = formatDuration(run.tookMs * 1e6);
  const rows = `${formatCount(run.rowCount)} ${run.rowCount === 1 ? 'row' : 'rows'}`;
  switch (run.state) {
    case 'tables':
      return wholeProgress.value === null ? (
        <>Building the tables that it reads…</>
      ) : (
        <>Loading all of the trace, which this SQL asks…</>
      );
    case 'running':
      return (
        <>
          Running: {rows} so far, {took}
        </>
      );
    case 'done':
      return (
        <>
          {rows} in {took}
          {run.result.leftOut !== null && <b>: there are more, {BEYOND[run.result.leftOut]}</b>}
        </>
      );
    case 'failed':
      return <>Failed after {took}</>;
    case 'ended':
      return <>Ended after {took}; the engine loads the trace again</>;
  }
}

/** Where a click on a cell has led, and the views that show it. */
function Went({ words }: { readonly words: string }) {
  return (
    <p class="went" role="status">
      {words} Show it in{' '}
      {views.map(({ id, title }) => (
        <button key={id} type="button" class="plain" onClick={() => openView(id)}>
          {title}
        </button>
      ))}
    </p>
  );
}
