import { useEffect, useRef } from 'preact/hooks';
import { NO_SELECTION } from '../../../shared/link/index.ts';
import { formatDuration } from '../../../shared/model/index.ts';
import type { Drawn, ParamSpecs, Selection, ViewContext } from '../../../shared/view/index.ts';
import { moved } from '../../../views/compare/index.ts';
import type { AnyView } from '../../../views/index.ts';
import { clampRange } from '../../../views/kit/index.ts';
import { ParamControls } from '../param-controls.tsx';
import type { Session } from '../session.ts';
import { readFitting, shownTheme } from '../state.ts';
import { both, type Both } from './both.ts';
import { openThere } from './open-there.ts';
import { setLookParams, sharedSpecs } from './look-params.ts';
import { comparePlace, setCompare } from './place.ts';
import type { Comparer } from './run.ts';
import { useModel } from './use-model.ts';

interface BothViewProps {
  readonly session: Session;
  readonly comparer: Comparer;
  readonly view: AnyView;
}

/** A view of A that has B as second columns of its tables, and as outlines in its pictures. */
export function BothView(props: BothViewProps) {
  const shown = both.value;
  if (shown === null) return null;
  const ids = [shown.sides.a.trace.opened.id, shown.sides.b.trace.opened.id];
  return <BothViewOf key={[props.view.id, ...ids].join(' ')} shown={shown} {...props} />;
}

function BothViewOf({ session, comparer, view, shown }: BothViewProps & { readonly shown: Both }) {
  const { a, b } = shown.sides;
  const lookParams = comparePlace.value?.lookParams ?? { both: {}, a: {}, b: {} };
  const shared = readFitting(view.params, lookParams.both);
  const params = readFitting(view.params, { ...lookParams.both, ...lookParams.a });
  const zoom = comparePlace.value?.zoom ?? null;
  const range = zoom === null ? a.compared : clampRange(moved(zoom, a.compared.start), a.compared);
  const later_ns = b.compared.start - a.compared.start;
  const rangeOfB =
    range === a.compared ? b.compared : { start: range.start + later_ns, end: range.end + later_ns };
  const ofA = useModel(comparer, a.trace, view, params, range);
  const ofB = useModel(comparer, b.trace, view, shared, rangeOfB);
  const canvas = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn<ParamSpecs, unknown> | null>(null);
  const selection = useRef<Selection>(NO_SELECTION);
  const theme = shownTheme.value;
  const end = () => {
    drawn.current?.end();
    drawn.current = null;
    canvas.current?.replaceChildren();
  };
  useEffect(() => end, [theme]);
  const isThere = ofA.model !== null && ofB.model !== null;
  useEffect(() => {
    if (canvas.current === null || !isThere) return;
    const context: ViewContext<ParamSpecs> = {
      trace: a.trace.summary,
      range,
      second: {
        model: ofB.model,
        trace: b.trace.summary,
        range: rangeOfB,
        later_ns,
        inA: shown.inA,
      },
      selection: selection.current,
      params,
      still: false,
      // What is compared is chosen above, and stays.
      zoomTo: (next) => setCompare({ zoom: moved(clampRange(next, a.compared), -a.compared.start) }),
      select: (next) => (selection.current = next),
      setParams: (change) => setLookParams(view, 'a', change),
      openView: (id, given) =>
        openThere(session, a.trace, {
          view: id,
          params: given,
          range,
          selection: selection.current,
        }),
      ask: (question) => ofA.source.ask(view.id, question, {}),
    };
    if (drawn.current !== null) {
      drawn.current.update(ofA.model, context);
      return;
    }
    const made = view.draw(canvas.current, ofA.model, context);
    if (typeof made !== 'function') drawn.current = made;
  }, [ofA.model, ofB.model, shown.inA, theme]);
  const specs = sharedSpecs(view);
  const failures = [ofA, ofB].flatMap(({ failure }) => failure ?? []);
  return (
    <section class="compare-both" aria-label={`${view.title} of both`}>
      <form class="params" aria-label={`${view.title} of both`} onSubmit={(event) => event.preventDefault()}>
        <ParamControls
          specs={specs}
          values={shared}
          set={(change) => setLookParams(view, 'a', change as ViewContext<ParamSpecs>['params'])}
        />
      </form>
      {range !== a.compared && (
        <p class="hint compare-part">
          {formatDuration(range.end - range.start)} of {formatDuration(a.compared.end - a.compared.start)}.{' '}
          <button type="button" onClick={() => setCompare({ zoom: null })}>
            Show all that is compared
          </button>
        </p>
      )}
      {failures.map((message) => (
        <p key={message} class="view-error" role="alert">
          {message}
        </p>
      ))}
      {!isThere && failures.length === 0 && (
        <p class="hint compare-part" role="status">
          A and B are being asked.
        </p>
      )}
      <div ref={canvas} class="view-canvas view-page" />
    </section>
  );
}
