import { useRef, useState } from 'preact/hooks';
import { formatBytes, formatDuration } from '../../shared/model/index.ts';
import { Logo } from './logo.tsx';
import { estimateBytes, firstChoice, partOf, type PartChoice } from './part-choice.ts';
import { goHome, type Phase } from './state.ts';

const WIDTH = 720;
const HEIGHT = 96;

const count = (value: number): string => value.toLocaleString('en');

/** Offers a trace that the engine cannot hold in parts: by range, on the CPU use over time, and by kind of event. */
export function ChoosePart({ name, overview, openPart }: Extract<Phase, { kind: 'too_large' }>) {
  const [choice, setChoice] = useState<PartChoice>(() => firstChoice(overview));
  const change = (part: Partial<PartChoice>) => setChoice({ ...choice, ...part });
  const bytes = estimateBytes(overview, choice);
  const needed = overview.choices.reduce((sum, { engine_bytes }) => sum + engine_bytes, 0);
  const isEmpty = choice.from_ns >= choice.to_ns || choice.skip.length === overview.choices.length;
  const fits = bytes <= overview.limit_bytes && !isEmpty;
  const toggle = (kind: string) =>
    change({
      skip: choice.skip.includes(kind) ? choice.skip.filter((each) => each !== kind) : [...choice.skip, kind],
    });
  return (
    <main class="home">
      <div class="home-card choose-part">
        <Logo />
        <h1 class="file-name">{name}</h1>
        <p>
          This trace takes about {formatBytes(needed)} in the engine, which holds about{' '}
          {formatBytes(overview.limit_bytes)}. Choose a part.
        </p>
        <Strip overview={overview} choice={choice} change={change} />
        <p class="part-axis hint" aria-hidden="true">
          {[0, 0.25, 0.5, 0.75, 1].map((share) => (
            <span key={share}>{share === 0 ? '0 s' : formatDuration(share * overview.duration_ns)}</span>
          ))}
        </p>
        <div class="part-range">
          <Seconds label="From" value_ns={choice.from_ns} set={(from_ns) => change({ from_ns })} />
          <Seconds label="To" value_ns={choice.to_ns} set={(to_ns) => change({ to_ns })} />
          <span class="hint">
            of {(overview.duration_ns / 1e9).toFixed(3)} s; drag on the strip, or type the times
          </span>
        </div>
        <fieldset class="part-kinds">
          <legend>Kinds of events</legend>
          {overview.choices.map(({ kind, count: events, engine_bytes }) => (
            <label key={kind}>
              <input type="checkbox" checked={!choice.skip.includes(kind)} onChange={() => toggle(kind)} />
              {kind}{' '}
              <span class="hint">
                {count(events)}, {formatBytes(engine_bytes)}
              </span>
            </label>
          ))}
        </fieldset>
        <p class="estimate" role="status" aria-live="polite">
          {isEmpty
            ? 'This part holds nothing: choose a start before its end, and a kind of events.'
            : `This part takes about ${formatBytes(bytes)}${fits ? '' : `, and the engine holds ${formatBytes(overview.limit_bytes)}: choose less`}.`}
        </p>
        <div class="buttons">
          <button
            type="button"
            class="primary"
            disabled={!fits}
            onClick={() => openPart(partOf(overview, choice))}
          >
            Open this part
          </button>
          <button type="button" onClick={goHome}>
            Back
          </button>
        </div>
      </div>
    </main>
  );
}

interface ChoiceProps extends Pick<Extract<Phase, { kind: 'too_large' }>, 'overview'> {
  readonly choice: PartChoice;
  readonly change: (part: Partial<PartChoice>) => void;
}

/** CPU use over time, all CPUs together, with the chosen range. */
function Strip({ overview, choice, change }: ChoiceProps) {
  const anchor = useRef<number | null>(null);
  const { timeline, duration_ns } = overview;
  const x = (ns: number): number => (ns / duration_ns) * WIDTH;
  const timeAt = (event: PointerEvent): number => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width)) * duration_ns;
  };
  const top = (share: number): string => (HEIGHT - Math.min(1, share) * HEIGHT).toFixed(1);
  const steps = timeline.busy.map((share, bucket) => {
    const [start, end] = [bucket, bucket + 1].map((edge) => x(edge * timeline.bucket_ns).toFixed(1));
    return `L${start},${top(share)}L${end},${top(share)}`;
  });
  return (
    <svg
      class="part-strip"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label="CPU use over time; the chosen range is marked"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        anchor.current = timeAt(event);
      }}
      onPointerMove={(event) => {
        if (anchor.current === null) return;
        const [from_ns = 0, to_ns = 0] = [anchor.current, timeAt(event)].sort((a, b) => a - b);
        change({ from_ns, to_ns });
      }}
      onPointerUp={() => (anchor.current = null)}
      onPointerCancel={() => (anchor.current = null)}
    >
      <path class="busy" d={`M0,${HEIGHT}${steps.join('')}L${x(duration_ns)},${HEIGHT}Z`} />
      <rect
        class="range"
        x={x(choice.from_ns)}
        width={Math.max(1, x(choice.to_ns) - x(choice.from_ns))}
        height={HEIGHT}
      />
    </svg>
  );
}

interface SecondsProps {
  readonly label: string;
  readonly value_ns: number;
  readonly set: (ns: number) => void;
}

/** A time in s after the recording's start. What is being typed stays as it is typed. */
function Seconds({ label, value_ns, set }: SecondsProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <label>
      {label}{' '}
      <input
        type="number"
        min={0}
        step="any"
        value={typed ?? Number((value_ns / 1e9).toFixed(3))}
        onInput={({ currentTarget }) => {
          // Chromium gives no value while what is typed is no number yet, such as "1.".
          if (!Number.isNaN(currentTarget.valueAsNumber)) {
            setTyped(currentTarget.value);
            set(Math.max(0, currentTarget.valueAsNumber) * 1e9);
          }
        }}
        onBlur={() => setTyped(null)}
      />{' '}
      s
    </label>
  );
}
