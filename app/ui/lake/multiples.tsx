import { useEffect, useRef } from 'preact/hooks';
import type { LakeAnswer } from '../../../shared/lake/index.ts';
import { formatCount } from '../../../shared/model/index.ts';
import { drawPanel, longestBar } from '../../../views/drawing/index.ts';
import { TIMELESS } from './answer.tsx';

/** The answer for the traces of one value. */
export interface Part {
  readonly value: string;
  readonly answer: LakeAnswer;
}

/** A small picture for each value, all on one scale. A click on a name asks of its traces alone. */
export function Multiples({
  parts,
  leftOut,
  choose,
}: {
  readonly parts: readonly Part[];
  /** How many values have no picture. */
  readonly leftOut: number;
  readonly choose: (value: string) => void;
}) {
  const most = Math.max(0, ...parts.map(({ answer }) => longestBar(answer.model)));
  return (
    <>
      {leftOut > 0 && (
        <p class="lake-asked">
          The {parts.length} values with most traces are shown; {formatCount(leftOut)} more are not.
        </p>
      )}
      <div class="lake-multiples">
        {parts.map((part) => (
          <Multiple key={part.value} part={part} most={most} choose={choose} />
        ))}
      </div>
    </>
  );
}

function Multiple({
  part: { value, answer },
  most,
  choose,
}: {
  readonly part: Part;
  readonly most: number;
  readonly choose: (value: string) => void;
}) {
  const picture = useRef<HTMLDivElement>(null);
  const { model, traces } = answer;
  useEffect(() => {
    if (picture.current === null || model.rows.length === 0) return;
    const name = `lake/${model.id}/${value}`;
    return drawPanel(picture.current, { ...model, scale_most: most }, { ...TIMELESS, name });
  }, [answer, most]);
  return (
    <figure>
      <figcaption>
        <button type="button" class="plain" title="Ask of these traces alone" onClick={() => choose(value)}>
          {value}
        </button>
        <span>
          {formatCount(traces)} {traces === 1 ? 'trace' : 'traces'}
        </span>
      </figcaption>
      {model.rows.length === 0 ? (
        <p class="lake-none">No rows.</p>
      ) : (
        <div ref={picture} class="lake-picture" />
      )}
    </figure>
  );
}
