import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type {
  LakeAnswer,
  LakeAsk,
  LakeFilter,
  LakeQuestion,
  ServedLake,
} from '../../../shared/lake/index.ts';
import { formatCount, messageOf } from '../../../shared/model/index.ts';
import { Logo } from '../logo.tsx';
import { ParamControls } from '../param-controls.tsx';
import { Answer, type AnswerProps } from './answer.tsx';
import { TAG, valuesOf, type Asked, type Split } from './asked.ts';
import { Filters, splitsOf } from './filters.tsx';
import { Multiples, type Part } from './multiples.tsx';

/** The question that takes a trace. */
const ALIKE = 'traces-like-this';
/** More small pictures than these are no overview. */
const MOST_PARTS = 12;

type Shown =
  | { readonly kind: 'one'; readonly answer: LakeAnswer }
  | {
      readonly kind: 'parts';
      readonly parts: readonly Part[];
      readonly leftOut: number;
      readonly split: string;
    }
  | null;

type AskLake = (asked: LakeAsk, signal: AbortSignal) => Promise<LakeAnswer>;

/** What {@link Questions} shows. */
export interface QuestionsProps {
  readonly lake: ServedLake;
  readonly ask: AskLake;
  readonly asked: Asked;
  /** Asks something else. */
  readonly change: (asked: Asked) => void;
  readonly lead: AnswerProps['lead'];
  /** Stands at the end of the bar. */
  readonly children: ComponentChildren;
}

/** Questions to a lake, filters, and what it answers. */
export function Questions({ lake, ask, asked, change: set, lead, children }: QuestionsProps) {
  const [shown, setShown] = useState<Shown>(null);
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);
  const question = lake.questions.find(({ id }) => id === asked.question) ?? lake.questions[0];
  const lacksTrace = question?.id === ALIKE && (asked.params.trace ?? '') === '';
  const change = (part: Partial<Asked>) => set({ ...asked, ...part });
  useEffect(() => {
    if (question === undefined) return;
    if (lacksTrace) {
      setShown(null);
      setMessage('');
      setBusy(false);
      return;
    }
    const given = new AbortController();
    setBusy(true);
    load({ lake, ask, question, asked, signal: given.signal })
      .then(
        (loaded) => {
          if (given.signal.aborted) return;
          setShown(loaded);
          setMessage('');
        },
        (error: unknown) => {
          if (given.signal.aborted) return;
          setShown(null);
          setMessage(messageOf(error));
        },
      )
      .finally(() => {
        if (!given.signal.aborted) setBusy(false);
      });
    return () => given.abort();
  }, [asked]);
  return (
    <div class="lake-page">
      <header>
        <Logo />
        <h1>Lake</h1>
        <span class="lake-size">
          {formatCount(lake.traces)} {lake.traces === 1 ? 'trace' : 'traces'}
          {lake.lossy > 0 && `, ${formatCount(lake.lossy)} lost events`}
        </span>
        <span class="space" />
        {children}
      </header>
      <nav aria-label="Questions">
        {lake.questions.map(({ id, title, description }) => (
          <button
            key={id}
            type="button"
            title={description}
            aria-current={id === question?.id}
            onClick={() => change({ question: id, params: {} })}
          >
            {title}
          </button>
        ))}
      </nav>
      <main aria-busy={busy}>
        {question !== undefined && <Question question={question} asked={asked} change={change} />}
        <Filters
          lake={lake}
          filter={asked.filter}
          split={asked.split}
          set={(filter) => change({ filter })}
          setSplit={(split) => change({ split })}
        />
        {busy && <div class="busy-line" />}
        {lake.problems.map((problem) => (
          <p key={problem} class="lake-error">
            Left out: {problem}
          </p>
        ))}
        <p class="lake-error" role="alert">
          {message}
        </p>
        <section class="lake-answer">
          {lake.traces === 0 && <p class="lake-none">No trace is in this lake yet.</p>}
          {lake.traces > 0 && lacksTrace && (
            <p class="lake-none">
              Give the beginning of a trace's id, or press <em>alike…</em> next to a trace in another answer.
            </p>
          )}
          {lake.traces > 0 && shown?.kind === 'one' && (
            <Answer
              answer={shown.answer}
              lead={lead}
              findAlike={(trace) => change({ question: ALIKE, params: { trace } })}
            />
          )}
          {lake.traces > 0 && shown?.kind === 'parts' && (
            <Multiples
              parts={shown.parts}
              leftOut={shown.leftOut}
              choose={(value) => change({ filter: narrowed(asked.filter, shown.split, value), split: null })}
            />
          )}
        </section>
      </main>
    </div>
  );
}

function Question({
  question: { title, description, params },
  asked,
  change,
}: {
  readonly question: LakeQuestion;
  readonly asked: Asked;
  readonly change: (part: Partial<Asked>) => void;
}) {
  const set = (part: Readonly<Record<string, unknown>>) =>
    change({ params: { ...asked.params, ...(part as Asked['params']) } });
  return (
    <>
      <div class="lake-heading">
        <h2>{title}</h2>
        <p>{description}</p>
      </div>
      {Object.keys(params).length > 0 && (
        <form class="params" aria-label="Question" onSubmit={(event) => event.preventDefault()}>
          <ParamControls specs={params} values={valuesOf(params, asked.params)} set={set} />
        </form>
      )}
    </>
  );
}

/** Asks what is shown: one answer, or one for each value of what it is parted by. */
async function load({
  lake,
  ask: askLake,
  question: { id, params: specs },
  asked: { params, filter, split },
  signal,
}: {
  readonly lake: ServedLake;
  readonly ask: AskLake;
  readonly question: LakeQuestion;
  readonly asked: Asked;
  readonly signal: AbortSignal;
}): Promise<Shown> {
  const ask = (of: LakeFilter) =>
    askLake({ question: id, params: valuesOf(specs, params), filter: of }, signal);
  const values = splitsOf(lake).find((each) => each.split === split)?.values;
  if (split === null || values === undefined) return { kind: 'one', answer: await ask(filter) };
  const parts = await Promise.all(
    values.slice(0, MOST_PARTS).map(async ({ value }) => {
      const text = String(value);
      return { value: text, answer: await ask(narrowed(filter, split, text)) };
    }),
  );
  return { kind: 'parts', parts, leftOut: Math.max(0, values.length - MOST_PARTS), split };
}

/** A filter that also asks for a value of what an answer is parted by. */
function narrowed(filter: LakeFilter, split: NonNullable<Split>, value: string): LakeFilter {
  if (split.startsWith(TAG)) return { ...filter, tags: { ...filter.tags, [split.slice(TAG.length)]: value } };
  return { ...filter, [split]: split === 'os_build' ? Number(value) : value };
}
