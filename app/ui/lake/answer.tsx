import type { ComponentChild } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LakeAnswer, LakeExample } from '../../../shared/lake/index.ts';
import { formatCount, formatDuration } from '../../../shared/model/index.ts';
import { NO_SELECTION } from '../../../shared/link/index.ts';
import { panelTables } from '../../../shared/panel/index.ts';
import { drawPanel, type PanelContext } from '../../../views/drawing/index.ts';
import { drawTable } from '../../../views/kit/index.ts';

const NO_TIME = { start: 0, end: 0 };
/** Answers are of many traces: no time of one is in view. */
export const TIMELESS: Omit<PanelContext, 'name'> = {
  trace: { range: NO_TIME, cpuCount: 0 },
  range: NO_TIME,
  selection: NO_SELECTION,
  onRange: () => () => undefined,
  onSelection: () => () => undefined,
  toggleMark: () => undefined,
  zoomTo: () => undefined,
  asTable: false,
};

/** What an {@link Answer} shows. */
export interface AnswerProps {
  readonly answer: LakeAnswer;
  /** Shows an example's name, and leads to its place. */
  readonly lead: (example: LakeExample) => ComponentChild;
  /** Asks for the traces that are like one. */
  readonly findAlike: (trace: string) => void;
}

/** What an example is called. */
export function exampleTitle({ name, at_ns }: LakeExample): string {
  return at_ns === null ? name : `${name} at ${formatDuration(at_ns)}`;
}

/** A picture, its rows, and of the chosen row the traces to look at. */
export function Answer({ answer, lead, findAlike }: AnswerProps) {
  const { model, examples, traces, lossy } = answer;
  const picture = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLDivElement>(null);
  const [row, setRow] = useState(0);
  useEffect(() => setRow(0), [answer]);
  useEffect(() => {
    if (picture.current === null || model.rows.length === 0) return;
    return drawPanel(picture.current, model, { ...TIMELESS, name: `lake/${model.id}`, choose: setRow });
  }, [answer]);
  useEffect(() => {
    const [rows] = panelTables(model);
    if (table.current === null || rows === undefined || rows.rows.length === 0) return;
    return drawTable(table.current, rows, {
      origin_ns: 0,
      name: `lake/${model.id}`,
      chosen: row,
      onChoose: setRow,
    });
  }, [answer, row]);
  const asked = `${formatCount(traces)} ${traces === 1 ? 'trace was' : 'traces were'} asked; ${formatCount(lossy)} of them lost events.`;
  if (model.rows.length === 0)
    return <p class="lake-none">Nothing in these traces answers the question. {asked}</p>;
  return (
    <>
      <p class="lake-asked">{asked}</p>
      <div ref={picture} class="lake-picture" />
      <Examples row={row} examples={examples[row] ?? []} lead={lead} findAlike={findAlike} />
      <div ref={table} class="lake-rows" />
    </>
  );
}

function Examples({
  row,
  examples,
  lead,
  findAlike,
}: {
  readonly row: number;
  readonly examples: readonly LakeExample[];
} & Omit<AnswerProps, 'answer'>) {
  if (examples.length === 0) return null;
  return (
    <p class="lake-examples" aria-live="polite">
      <b>Traces of row {row + 1}:</b>
      {examples.map((example) => (
        <span key={example.link}>
          {lead(example)}
          <button
            type="button"
            class="plain"
            title="Find the traces that share its wake chains"
            onClick={() => findAlike(example.trace)}
          >
            alike…
          </button>
        </span>
      ))}
    </p>
  );
}
