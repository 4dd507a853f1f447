import type { ParamSpec, ParamSpecs, ParamValues } from '../../shared/view/index.ts';

/** Typing that rests for so long takes effect. */
const TYPING_RESTS_MS = 250;

/** Params as form controls, wherever their values are kept. */
export function ParamControls({
  specs,
  values,
  set,
}: {
  readonly specs: ParamSpecs;
  readonly values: ParamValues<ParamSpecs>;
  readonly set: (change: Readonly<Record<string, unknown>>) => void;
}) {
  return (
    <>
      {Object.entries(specs).map(([name, spec]) => (
        <Param key={name} name={name} spec={spec} value={values[name] ?? null} set={set} />
      ))}
    </>
  );
}

interface ParamProps {
  readonly name: string;
  readonly spec: ParamSpec;
  readonly value: unknown;
  readonly set: (change: Readonly<Record<string, unknown>>) => void;
}

let typing: ReturnType<typeof setTimeout> | undefined;

function whenTypingRests(change: () => void): void {
  clearTimeout(typing);
  typing = setTimeout(change, TYPING_RESTS_MS);
}

function Param({ name, spec, value, set }: ParamProps) {
  return (
    <label class={`param ${spec.type}`} title={spec.help}>
      <span>{spec.label}</span>
      <Control name={name} spec={spec} value={value} set={set} />
      {spec.type === 'number' && spec.unit !== undefined && <span class="unit">{spec.unit}</span>}
    </label>
  );
}

function Control({ name, spec, value, set }: ParamProps) {
  switch (spec.type) {
    case 'flag':
      return (
        <input
          type="checkbox"
          checked={value === true}
          onChange={({ currentTarget }) => set({ [name]: currentTarget.checked })}
        />
      );
    case 'choice':
      return (
        <select value={String(value)} onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}>
          {spec.choices.map((choice) => (
            <option key={choice} value={choice}>
              {spec.titles?.[choice] ?? choice}
            </option>
          ))}
        </select>
      );
    case 'text':
      return (
        <input
          type="search"
          size={12}
          spellcheck={false}
          value={typeof value === 'string' ? value : ''}
          onInput={({ currentTarget }) =>
            whenTypingRests(() => set({ [name]: currentTarget.value || spec.default }))
          }
        />
      );
    case 'number':
      return (
        <input
          type="number"
          min={spec.min}
          max={spec.max}
          step="any"
          value={typeof value === 'number' ? value : ''}
          onInput={({ currentTarget }) =>
            whenTypingRests(() => {
              // Says what is wrong with a number that is not taken.
              if (!currentTarget.reportValidity()) return;
              set({ [name]: currentTarget.value === '' ? spec.default : currentTarget.valueAsNumber });
            })
          }
        />
      );
  }
}
