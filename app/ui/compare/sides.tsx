import type { SideName } from '../../../shared/compare/index.ts';
import { formatDuration } from '../../../shared/model/index.ts';
import type { TimeRange } from '../../../shared/view/index.ts';
import { loaded, range as rangeInView, type LoadedTrace } from '../state.ts';
import { comparePlace, setCompare } from './place.ts';
import type { Sides } from './run.ts';

const SIDES = ['a', 'b'] as const;

/** Both traces with the range of each. */
export function SideCards({ sides }: { readonly sides: Sides }) {
  return (
    <div class="compare-sides">
      {SIDES.map((side) => (
        <SideCard key={side} side={side} trace={sides[side]} />
      ))}
    </div>
  );
}

function SideCard({ side, trace }: { readonly side: SideName; readonly trace: LoadedTrace }) {
  const whole = trace.summary.range;
  const now = comparePlace.value;
  const range = now?.ranges[side] ?? null;
  const shown = range ?? whole;
  const set = (next: TimeRange | null) => {
    const ranges = comparePlace.peek()?.ranges ?? { a: null, b: null };
    const isWhole = next !== null && next.start <= whole.start && next.end >= whole.end;
    setCompare({ ranges: { ...ranges, [side]: isWhole ? null : next } });
  };
  const change = (end: 'start' | 'end') => (seconds: number) => {
    const next = { ...shown, [end]: whole.start + Math.round(seconds * 1e9) };
    const within = { start: Math.max(whole.start, next.start), end: Math.min(whole.end, next.end) };
    if (within.start < within.end) set(within);
  };
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
        <Seconds label={`From, in ${name}`} text="from" value={seconds(shown.start)} set={change('start')} />
        <Seconds label={`To, in ${name}`} text="to" value={seconds(shown.end)} set={change('end')} />
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
    </section>
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
