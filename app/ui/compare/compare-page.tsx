import { useEffect, useRef, useState } from 'preact/hooks';
import { NO_SELECTION } from '../../../shared/link/index.ts';
import { WindowPage } from '../../../views/kit/index.ts';
import { comparePage } from '../../../views/compare/index.ts';
import type { RecentTrace } from '../../host/api.ts';
import { STAGE_TITLES } from '../opening.tsx';
import type { Session } from '../session.ts';
import { loaded, shownTheme, type LoadedTrace } from '../state.ts';
import { beside } from './beside.ts';
import { views } from '../../../views/index.ts';
import { BothTimelines } from './both-timelines.tsx';
import { BothView } from './both-view.tsx';
import { TIMELINE } from './both.ts';
import { ChooseOther } from './choose-other.tsx';
import { openThere } from './open-there.ts';
import { comparePlace, setCompare, swapSides } from './place.ts';
import { changedFindings, compared, type Comparer, comparison, type Sides } from './run.ts';
import { SideCards } from './sides.tsx';
import { Ties } from './ties.tsx';

interface ComparePageProps {
  readonly session: Session;
  readonly comparer: Comparer;
}

/** What changed from one trace to another: the open trace and the other one. */
export function ComparePage({ session, comparer }: ComparePageProps) {
  const [isChoosing, setChoosing] = useState(false);
  const asked = comparePlace.value;
  const other = beside.value;
  const shown = comparison.value;
  if (asked === null) return null;
  const choose = (what: File | RecentTrace, expected: string | null = null) => {
    setChoosing(false);
    void comparer.beside.choose(what, expected);
  };
  const isOfThese = other.kind === 'open' && shown !== null && isShown(shown.sides, other.trace.opened.id);
  const looked = LOOKED.find(({ id }) => id === asked.look && id !== TIMELINE);
  const name = asked.otherName === '' ? 'a trace' : asked.otherName;
  return (
    <div class="view-area compare-page" aria-busy={compared.value.kind === 'working'}>
      <header class="view-heading">
        <h2>Compare</h2>
        <p>What changed from A to B, and how sure is that?</p>
        <div class="view-tools">
          {other.kind === 'open' && (
            <>
              <button
                type="button"
                title="The open trace is from after, the other one from before; or the other way round"
                onClick={() => setCompare(swapSides(asked))}
              >
                Swap A and B
              </button>
              <button type="button" aria-expanded={isChoosing} onClick={() => setChoosing(!isChoosing)}>
                Compare with another…
              </button>
            </>
          )}
        </div>
      </header>
      {(other.kind === 'none' || isChoosing) && (
        <div class="compare-part">
          <p>Choose the trace to compare {loaded.value?.opened.name} with.</p>
          <ChooseOther session={session} choose={(what) => choose(what)} />
        </div>
      )}
      {other.kind === 'unknown' && (
        <div class="compare-part">
          <p>
            This comparison is with {name}, which is not known on this machine. Choose its file: the name may
            differ, the content may not.
          </p>
          <ChooseOther session={session} choose={(what) => choose(what, asked.other)} isNamed />
        </div>
      )}
      {other.kind === 'opening' && <Opening {...other} />}
      {other.kind === 'failed' && (
        <>
          <p class="view-error" role="alert">
            {other.message}
          </p>
          <div class="compare-part">
            <ChooseOther
              session={session}
              choose={(what) => choose(what, other.expected)}
              isNamed={other.expected !== null}
            />
          </div>
        </>
      )}
      {other.kind === 'open' && <State comparer={comparer} />}
      {isOfThese && (
        <>
          <SideCards session={session} comparer={comparer} sides={shown.sides} />
          <Ties comparison={shown.of} />
          <LookAt />
          <Changes session={session} />
          {asked.look === TIMELINE && <BothTimelines session={session} comparer={comparer} />}
          {looked !== undefined && <BothView session={session} comparer={comparer} view={looked} />}
        </>
      )}
    </div>
  );
}

/** Views that show both: not those of one chosen thread or wait. */
const LOOKED = views.filter(({ id }) => id !== 'wake-chain' && id !== 'explain');

/** Chooses what is shown below the list. */
function LookAt() {
  const look = comparePlace.value?.look ?? '';
  return (
    <label class="param choice compare-look">
      <span>Below the list</span>
      <select
        value={look}
        onChange={({ currentTarget: { value } }) =>
          setCompare({
            look: value === '' ? null : value,
            zoom: null,
            meeting: 'from',
            lookParams: { both: {}, a: {}, b: {} },
          })
        }
      >
        <option value="">The proof of the row</option>
        {LOOKED.map(({ id, title }) => (
          <option key={id} value={id}>
            {title} of both
          </option>
        ))}
      </select>
    </label>
  );
}

function isShown({ a, b }: Sides, other: string): boolean {
  const ids = [a[0].opened.id, b[0].opened.id];
  return ids.includes(other) && ids.includes(loaded.value?.opened.id ?? '');
}

/** How far the opening of the other trace is. */
function Opening({ name, progress, cancel }: Extract<typeof beside.value, { kind: 'opening' }>) {
  const fraction = progress?.fraction ?? null;
  const stage = STAGE_TITLES[progress?.stage ?? 'hash'];
  return (
    <div class="compare-part compare-working" role="status">
      <span>
        {name}: {stage}
        {fraction === null ? '' : `, ${Math.floor(fraction * 100)} %`}
      </span>
      <progress max={1} {...(fraction === null ? {} : { value: fraction })} aria-label={stage} />
      <button type="button" onClick={cancel}>
        Cancel
      </button>
    </div>
  );
}

/** What the comparison does, or why there is none. */
function State({ comparer }: { readonly comparer: Comparer }) {
  const state = compared.value;
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (state.kind !== 'working') return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [state.kind]);
  switch (state.kind) {
    case 'working':
      return (
        <div class="compare-part compare-working" role="status">
          <span>
            {state.what}: {(Math.max(0, now - state.sinceMs) / 1000).toFixed(1)} s
          </span>
          <progress max={1} aria-label={state.what} />
          <button type="button" onClick={state.cancel}>
            Cancel
          </button>
        </div>
      );
    case 'cancelled':
      return (
        <div class="compare-part compare-working">
          <span>The comparison was cancelled.</span>
          <button type="button" onClick={() => comparer.again()}>
            Compare
          </button>
        </div>
      );
    case 'failed':
      return (
        <div class="view-error" role="alert">
          <p>{state.message}</p>
          <button type="button" onClick={() => comparer.again()}>
            Compare again
          </button>
        </div>
      );
    default:
      return null;
  }
}

/** What changed, drawn by `views/compare`. Another row or comparison takes the places of the blocks before. */
function Changes({ session }: { readonly session: Session }) {
  const canvas = useRef<HTMLDivElement>(null);
  const page = useRef<WindowPage | null>(null);
  const shown = comparison.value;
  const row = comparePlace.value?.row ?? null;
  const look = comparePlace.value?.look ?? null;
  const findings = changedFindings.value;
  const theme = shownTheme.value;
  useEffect(() => {
    const parent = canvas.current;
    const trace = loaded.peek();
    if (parent === null || trace === null) return;
    const { range } = trace.summary;
    page.current = new WindowPage(parent, {
      name: 'compare',
      origin_ns: range.start,
      // Nothing on the page lies over the time of one trace.
      context: { trace: trace.summary, range, selection: NO_SELECTION, zoomTo: () => undefined },
    });
    return () => {
      // As high as it was until it is drawn anew: the page stays scrolled to where it was.
      parent.style.minHeight = `${parent.offsetHeight}px`;
      page.current?.end();
      page.current = null;
      parent.replaceChildren();
    };
  }, [theme]);
  useEffect(() => {
    if (shown === null) return;
    const { sides, of } = shown;
    const shownPage = comparePage(of, {
      row,
      wholes: { a: sides.a.map(wholeOf), b: sides.b.map(wholeOf) },
      findings,
      choose: (chosen) => setCompare({ row: chosen }),
      open: (side, trace, there) => openThere(session, sides[side][trace], there),
      look,
      lookAt: (next, meeting) =>
        setCompare({ look: next, meeting, zoom: null, lookParams: { both: {}, a: {}, b: {} } }),
    });
    page.current?.show(shownPage);
    if (canvas.current !== null) canvas.current.style.minHeight = '';
  }, [shown, row, look, findings, theme]);
  return <div ref={canvas} class="view-canvas view-page" tabIndex={-1} />;
}

const wholeOf = ({ summary }: LoadedTrace) => summary.range;
