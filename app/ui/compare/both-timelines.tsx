import { computed, effect } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SideName } from '../../../shared/compare/index.ts';
import { NO_SELECTION } from '../../../shared/link/index.ts';
import { formatTime } from '../../../shared/model/index.ts';
import type { Drawn, ParamSpecs, Selection, TimeRange, ViewContext } from '../../../shared/view/index.ts';
import { mostOfRow, moved, rowOf, type Meeting } from '../../../views/compare/index.ts';
import { besideModel } from '../../../views/timeline/beside.ts';
import type { TimelineModel } from '../../../views/timeline/model.ts';
import { timeline } from '../../../views/timeline/view.ts';
import { ParamControls } from '../param-controls.tsx';
import type { Session } from '../session.ts';
import { loaded, marks, readFitting, shownTheme, toggleMark } from '../state.ts';
import { both, bothAxis, SIDES, TIMELINE, type BothTrace } from './both.ts';
import { openThere } from './open-there.ts';
import { setLookParams, sharedSpecs } from './look-params.ts';
import { comparePlace, setCompare } from './place.ts';
import { comparison, type Comparer } from './run.ts';
import { useFindingFlags } from './side-findings.ts';
import { useModel } from './use-model.ts';

/** All tracks can be scrolled to. */
const SHARED = Object.fromEntries(Object.entries(sharedSpecs(timeline)).filter(([name]) => name !== 'rows'));
/** Threads of one name stand in the same order on both sides, and the row's alone are open. */
const FIRST = { order: 'name', open: '' } as const;

const MEETING_WORDS: Readonly<Record<Meeting, string>> = {
  from: 'the beginnings of the ranges',
  to: 'the ends of the ranges',
  row: 'where the row has most',
};

type Models = Readonly<Record<SideName, TimelineModel | null>>;
const otherSide = (side: SideName): SideName => (side === 'a' ? 'b' : 'a');

interface BothTimelinesProps {
  readonly session: Session;
  readonly comparer: Comparer;
}

/** The timeline with both traces, A above B, over one axis of time that counts from where they meet. */
export function BothTimelines({ session, comparer }: BothTimelinesProps) {
  const [models, setModels] = useState<Models>({ a: null, b: null });
  const active = useRef<SideName>('a');
  // The list stays above, by which another row is chosen.
  useEffect(() => document.querySelector('.compare-list')?.scrollIntoView(), []);
  const [shown, asked, compared] = [both.value, comparePlace.value, comparison.value];
  if (shown === null || asked === null || compared === null) return null;
  const { meeting, lookParams } = asked;
  const row = rowOf(compared.of, asked.row);
  return (
    <section class="compare-both" aria-label="Timeline of both">
      <form class="params" aria-label="Timeline of both" onSubmit={(event) => event.preventDefault()}>
        <label class="param choice" title="A and B are moved so that these moments stand below one another">
          <span>Meet at</span>
          <select
            value={meeting}
            onChange={({ currentTarget }) =>
              setCompare({ meeting: currentTarget.value as Meeting, zoom: null })
            }
          >
            {Object.entries(MEETING_WORDS).map(([value, words]) => (
              <option
                key={value}
                value={value}
                disabled={value === 'row' && SIDES.every((side) => mostOfRow(row, side) === null)}
              >
                {words}
              </option>
            ))}
          </select>
        </label>
        <ParamControls
          specs={SHARED}
          values={readFitting(timeline.params, { ...FIRST, ...lookParams.both })}
          set={(change) => setLookParams(timeline, 'a', change as ViewContext<ParamSpecs>['params'])}
        />
      </form>
      {SIDES.map((side) => (
        <SideTimeline
          key={`${side} ${shown.sides[side].trace.opened.id}`}
          side={side}
          of={shown.sides[side]}
          anchor_ns={shown.met.anchors[side]}
          bounds={shown.met.bounds}
          other={models[otherSide(side)]}
          onModel={(model) => setModels((before) => ({ ...before, [side]: model }))}
          active={active}
          session={session}
          comparer={comparer}
        />
      ))}
    </section>
  );
}

interface SideTimelineProps extends BothTimelinesProps {
  readonly side: SideName;
  readonly of: BothTrace;
  /** Where the traces meet, on the clock of this one. */
  readonly anchor_ns: number;
  readonly bounds: TimeRange;
  /** The model of the other side. */
  readonly other: TimelineModel | null;
  readonly onModel: (model: TimelineModel) => void;
  /** The side on which keys act. */
  readonly active: { current: SideName };
}

function SideTimeline({
  side,
  of,
  anchor_ns,
  bounds,
  other,
  onModel,
  active,
  session,
  comparer,
}: SideTimelineProps) {
  const { trace } = of;
  const { opened } = trace;
  const canvas = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn<ParamSpecs, TimelineModel> | null>(null);
  const selection = useRef<Selection>(NO_SELECTION);

  const lookParams = comparePlace.value?.lookParams ?? { both: {}, a: {}, b: {} };
  const pinned = of.tracks === '' ? null : of.tracks;
  const params = readFitting(timeline.params, { ...FIRST, pinned, ...lookParams.both, ...lookParams[side] });
  const shown = useModel(comparer, trace, timeline, params, trace.summary.range);
  const { source, failure } = shown;
  const flags = useFindingFlags(session, trace);
  const model = shown.model as TimelineModel | null;
  useEffect(() => {
    if (model !== null) onModel(model);
  }, [model]);
  const theme = shownTheme.value;
  // What is kept while tracks are drawn anew is kept by this: of other bounds or another anchor it is not true.
  const summary = useMemo(
    () => ({ range: moved(bounds, anchor_ns), cpuCount: trace.summary.cpuCount }),
    [anchor_ns, bounds.start, bounds.end, trace],
  );
  const contextNow = (): ViewContext<ParamSpecs> => {
    const isOpen = opened.id === loaded.peek()?.opened.id;
    const inView = computed((): TimeRange => moved(bothAxis.value?.range ?? bounds, anchor_ns));
    return {
      trace: summary,
      range: inView.peek(),
      selection: selection.current,
      params,
      still: false,
      onRange: (listener) => effect(() => listener(inView.value)),
      onTracks: (listener) => effect(() => listener([flags.value])),
      onSelection: (listener) => effect(() => listener(selection.current, isOpen ? marks.value : [])),
      takesKeys: () => active.current === side,
      ...(isOpen && { toggleMark }),
      zoomTo: (range) => bothAxis.peek()?.zoomTo(moved(range, -anchor_ns)),
      select: (next) => (selection.current = next),
      setParams: (change) => setLookParams(timeline, side, change),
      openView: (view, given) =>
        openThere(session, trace, {
          view,
          params: given,
          range: inView.peek(),
          selection: selection.current,
        }),
      ask: (question) => source.ask(TIMELINE, question, {}),
    };
  };
  useEffect(() => {
    const parent = canvas.current;
    if (parent === null) return;
    return () => {
      drawn.current?.end();
      drawn.current = null;
      parent.replaceChildren();
    };
  }, [theme]);
  useEffect(() => {
    if (canvas.current === null || model === null) return;
    const placed = { ...besideModel(model, other, side === 'b'), origin_ns: anchor_ns };
    const context = contextNow();
    if (drawn.current === null) {
      const made = timeline.draw(canvas.current, placed, context as Parameters<typeof timeline.draw>[2]);
      drawn.current = made as Drawn<ParamSpecs, TimelineModel>;
    } else drawn.current.update(placed, context);
  }, [model, other, summary, theme]);

  const takeKeys = () => (active.current = side);
  return (
    <section class="compare-timeline" onPointerEnter={takeKeys} onFocusCapture={takeKeys}>
      <h3>
        <span class={`side-letter side-${side}`}>{side.toUpperCase()}</span> {opened.name}{' '}
        <span class="compare-anchor-time">0 s is at {formatTime(anchor_ns, trace.summary.range.start)}</span>
      </h3>
      {failure !== null && (
        <p class="view-error" role="alert">
          {failure}
        </p>
      )}
      {model === null && failure === null && (
        <p class="hint" role="status">
          The tracks are being made.
        </p>
      )}
      <div ref={canvas} class="view-canvas view-page" />
    </section>
  );
}
