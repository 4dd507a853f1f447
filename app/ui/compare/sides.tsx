import { useState } from 'preact/hooks';
import { anchorText, type Anchor, type SideName } from '../../../shared/compare/index.ts';
import { formatDuration, formatTime } from '../../../shared/model/index.ts';
import { markLetter, type TimeRange } from '../../../shared/view/index.ts';
import type { Session } from '../session.ts';
import { loaded, marks, range as rangeInView, type LoadedTrace } from '../state.ts';
import { TIMELINE } from './both.ts';
import { ChooseOther } from './choose-other.tsx';
import { adding, more } from './more.ts';
import { comparePlace, readComparePlace, setCompare } from './place.ts';
import { anchors, type Comparer, type Sides } from './run.ts';

const SIDES = ['a', 'b'] as const;

interface SideCardsProps {
  readonly session: Session;
  readonly comparer: Comparer;
  readonly sides: Sides;
}

/** Both sides with their traces and the range of each. */
export function SideCards({ sides, ...rest }: SideCardsProps) {
  return (
    <div class="compare-sides">
      {SIDES.map((side) => (
        <SideCard key={side} side={side} trace={sides[side][0]} {...rest} />
      ))}
    </div>
  );
}

interface SideCardProps extends Omit<SideCardsProps, 'sides'> {
  readonly side: SideName;
  /** The first of its traces. */
  readonly trace: LoadedTrace;
}

function SideCard({ side, trace, session, comparer }: SideCardProps) {
  const whole = trace.summary.range;
  const now = comparePlace.value;
  const range = now?.ranges[side] ?? null;
  const shown = range ?? whole;
  const set = (next: TimeRange | null) => {
    const { ranges, look, zoom } = comparePlace.peek() ?? readComparePlace({});
    const isWhole = next !== null && next.start <= whole.start && next.end >= whole.end;
    // Another range that is compared is shown whole; the timeline shows more than that.
    const kept = look === TIMELINE ? zoom : null;
    setCompare({ ranges: { ...ranges, [side]: isWhole ? null : next }, zoom: kept });
  };
  const change = (end: 'start' | 'end') => (ts: number) => {
    const next = { ...shown, [end]: ts };
    // From after the end on: as long as before, or to the end of the trace.
    if (next.start >= next.end && end === 'start') next.end = ts + shown.end - shown.start;
    const within = { start: Math.max(whole.start, next.start), end: Math.min(whole.end, next.end) };
    if (within.start < within.end) set(within);
  };
  const changeSeconds = (end: 'start' | 'end') => (value: number) =>
    change(end)(whole.start + Math.round(value * 1e9));
  const seconds = (ns: number) => Number(((ns - whole.start) / 1e9).toFixed(6));
  const name = side.toUpperCase();
  const isOpen = trace.opened.id === loaded.value?.opened.id;
  return (
    <section class="compare-side" aria-label={`Side ${name}`}>
      <h3>
        <span class={`side-letter side-${side}`}>{name}</span>{' '}
        <span title={trace.opened.name}>{trace.opened.name}</span>
      </h3>
      <p class="hint">
        {side === 'a' ? 'from before' : 'from after'}, {formatDuration(shown.end - shown.start)}
        {range === null ? '' : ` of ${formatDuration(whole.end - whole.start)}`}
      </p>
      <p class="compare-range">
        <span class="compare-end">
          <Seconds
            label={`From, in ${name}`}
            text="from"
            value={seconds(shown.start)}
            set={changeSeconds('start')}
          />
          <AnchorMenu
            label={`From an anchor, in ${name}`}
            trace={trace}
            ts={shown.start}
            set={change('start')}
          />
        </span>
        <span class="compare-end">
          <Seconds label={`To, in ${name}`} text="to" value={seconds(shown.end)} set={changeSeconds('end')} />
          <AnchorMenu label={`To an anchor, in ${name}`} trace={trace} ts={shown.end} set={change('end')} />
        </span>
        {isOpen && (
          <button
            type="button"
            title="Compare the range that is in view"
            onClick={() => set(rangeInView.peek())}
          >
            Range in view
          </button>
        )}
        <button type="button" disabled={range === null} onClick={() => set(null)}>
          All of it
        </button>
      </p>
      <MoreOfSide side={side} session={session} comparer={comparer} />
    </section>
  );
}

interface AnchorMenuProps {
  readonly label: string;
  readonly trace: LoadedTrace;
  /** The time that is set: the anchor there is shown as chosen. */
  readonly ts: number;
  readonly set: (ts: number) => void;
}

const ANCHOR_GROUPS: Readonly<Record<Anchor['kind'], string>> = {
  key: 'Keys and buttons',
  process: 'Processes start',
  focus: 'Focus changes',
  release: 'Waiting ends',
};
/** So many anchors of a kind are offered; others are told by hand. */
const OFFERED = 200;

/** Offers the anchors of a trace, and the marks of the open one. */
function AnchorMenu({ label, trace, ts, set }: AnchorMenuProps) {
  const found = anchors.value.get(trace.opened.id) ?? [];
  const marked = trace.opened.id === loaded.value?.opened.id ? marks.value : [];
  if (found.length + marked.length === 0) return null;
  const at = (time: number) => formatTime(time, trace.summary.range.start);
  const isAnchor = found.some((each) => each.ts === ts) || marked.some((each) => each.ts === ts);
  const kinds = Object.keys(ANCHOR_GROUPS) as Anchor['kind'][];
  return (
    <select
      class="compare-anchor"
      aria-label={label}
      value={isAnchor ? String(ts) : ''}
      onChange={({ currentTarget }) => {
        if (currentTarget.value !== '') set(Number(currentTarget.value));
      }}
    >
      <option value="">anchor…</option>
      {marked.length > 0 && (
        <optgroup label="Marks">
          {marked.map((mark) => (
            <option key={mark.slot} value={mark.ts}>
              {markLetter(mark)} {mark.label}, {at(mark.ts)}
            </option>
          ))}
        </optgroup>
      )}
      {kinds.map((kind) => {
        const of = found.filter((each) => each.kind === kind);
        return (
          of.length > 0 && (
            <optgroup key={kind} label={ANCHOR_GROUPS[kind]}>
              {of.slice(0, OFFERED).map((anchor) => (
                <option key={anchorText(found, anchor)} value={anchor.ts}>
                  {anchorText(found, anchor)}
                  {anchor.kind === 'key' ? ` (${anchor.name})` : ''}, {at(anchor.ts)}
                </option>
              ))}
            </optgroup>
          )
        );
      })}
    </select>
  );
}

/** The further traces of a side, and the way to add some. */
function MoreOfSide({ side, session, comparer }: Omit<SideCardProps, 'trace'>) {
  const [isChoosing, setChoosing] = useState(false);
  const all = comparePlace.value?.more ?? [];
  const own = all.filter((each) => each.side === side);
  const name = side.toUpperCase();
  const said = adding.value;
  return (
    <div class="compare-more">
      <ul aria-label={`Further traces of ${name}`}>
        {own.map(({ id, name: file }) => {
          const of = more.value.get(id);
          return (
            <li key={id}>
              <span title={file}>{file}</span>
              {of?.kind === 'failed' && <span role="alert">{of.message}</span>}
              {of?.kind === 'opening' && <span class="hint">is being opened</span>}
              <button
                type="button"
                class="icon"
                aria-label={`Leave out ${file}`}
                title="Leave out"
                onClick={() => setCompare({ more: all.filter((each) => each.id !== id) })}
              >
                ×
              </button>
            </li>
          );
        })}
      </ul>
      <button type="button" aria-expanded={isChoosing} onClick={() => setChoosing(!isChoosing)}>
        Add traces to {name}…
      </button>
      {isChoosing && said.name !== null && (
        <p class="hint" role="status">
          {said.name} is being opened.
        </p>
      )}
      {isChoosing &&
        said.failed.map((message) => (
          <p key={message} class="hint" role="alert">
            {message}
          </p>
        ))}
      {isChoosing && (
        <ChooseOther
          session={session}
          isMany
          label={`Further traces of ${name}`}
          choose={(...what) => comparer.more.add(what, side)}
        />
      )}
    </div>
  );
}

interface SecondsProps {
  readonly label: string;
  readonly text: string;
  readonly value: number;
  readonly set: (seconds: number) => void;
}

/** A time in s from the start of a trace. */
function Seconds({ label, text, value, set }: SecondsProps) {
  return (
    <label class="param number">
      <span>{text}</span>
      <input
        type="number"
        min={0}
        step="any"
        aria-label={label}
        value={value}
        onChange={({ currentTarget }) => {
          const { validity, valueAsNumber } = currentTarget;
          if (validity.valid && Number.isFinite(valueAsNumber)) set(valueAsNumber);
        }}
      />
      <span class="unit">s</span>
    </label>
  );
}
