import { formatCount } from '../../../shared/model/index.ts';
import type { LakeFilter, LakeValue, ServedLake } from '../../../shared/lake/index.ts';
import { TAG, withoutNothing, type Split } from './asked.ts';

/** What a {@link Filters} shows. */
export interface FiltersProps {
  readonly lake: ServedLake;
  readonly filter: LakeFilter;
  readonly split: Split;
  readonly set: (filter: LakeFilter) => void;
  readonly setSplit: (split: Split) => void;
}

/** Says which traces are asked, and by what the answer is parted. What no trace tells is not offered. */
export function Filters({ lake, filter, split, set, setSplit }: FiltersProps) {
  const { models, machines, os_builds, tags, from, to } = lake;
  const change = (part: LakeFilter) => set(withoutNothing({ ...filter, ...part }));
  const splits = splitsOf(lake);
  return (
    <form class="params" aria-label="Traces" onSubmit={(event) => event.preventDefault()}>
      {models.length > 1 && (
        <Choice
          label="Machine model"
          values={models}
          chosen={filter.model}
          set={(model) => change({ model })}
        />
      )}
      {machines.length > 1 && (
        <Choice
          label="Machine"
          values={machines}
          chosen={filter.machine}
          set={(machine) => change({ machine })}
        />
      )}
      {os_builds.length > 1 && (
        <Choice
          label="Windows build"
          values={os_builds}
          chosen={filter.os_build}
          set={(text) => change({ os_build: text === undefined ? undefined : Number(text) })}
        />
      )}
      {Object.entries(tags).map(([name, values]) => (
        <Choice
          key={name}
          label={name}
          values={values}
          chosen={filter.tags?.[name]}
          set={(value) => change({ tags: { ...filter.tags, [name]: value } as Record<string, string> })}
        />
      ))}
      {from !== null && from !== to && (
        <>
          <Day label="From" value={filter.from ?? from} set={(day) => change({ from: day })} />
          <Day label="to" value={filter.to ?? to ?? from} set={(day) => change({ to: day })} />
        </>
      )}
      {splits.length > 0 && (
        <label class="param choice" title="One small picture for each value, all on one scale.">
          <span>Side by side</span>
          <select
            value={split ?? ''}
            onChange={({ currentTarget }) =>
              setSplit(currentTarget.value === '' ? null : currentTarget.value)
            }
          >
            <option value="">no</option>
            {splits.map(({ split: value, label }) => (
              <option key={value} value={value}>
                by {label}
              </option>
            ))}
          </select>
        </label>
      )}
      {Object.keys(filter).length > 0 && (
        <button type="button" class="plain" onClick={() => set({})}>
          All traces
        </button>
      )}
    </form>
  );
}

/** By what an answer can be parted: that which has two values or more. */
export function splitsOf({ models, machines, os_builds, tags }: ServedLake): readonly {
  readonly split: string;
  readonly label: string;
  readonly values: readonly LakeValue<string | number>[];
}[] {
  return [
    { split: 'model', label: 'machine model', values: models },
    { split: 'machine', label: 'machine', values: machines },
    { split: 'os_build', label: 'Windows build', values: os_builds },
    ...Object.entries(tags).map(([name, values]) => ({ split: TAG + name, label: name, values })),
  ].filter(({ values }) => values.length > 1);
}

function Choice({
  label,
  values,
  chosen,
  set,
}: {
  readonly label: string;
  readonly values: readonly LakeValue<string | number>[];
  readonly chosen: string | number | undefined;
  readonly set: (value: string | undefined) => void;
}) {
  return (
    <label class="param choice" title={label}>
      <span>{label}</span>
      <select
        value={chosen === undefined ? '' : String(chosen)}
        onChange={({ currentTarget }) => set(currentTarget.value === '' ? undefined : currentTarget.value)}
      >
        <option value="">all</option>
        {values.map(({ value, traces }) => (
          <option key={value} value={String(value)}>
            {value} ({formatCount(traces)})
          </option>
        ))}
      </select>
    </label>
  );
}

function Day({
  label,
  value,
  set,
}: {
  readonly label: string;
  readonly value: string;
  readonly set: (day: string | undefined) => void;
}) {
  return (
    <label class="param">
      <span>{label}</span>
      <input
        type="date"
        value={value}
        onChange={({ currentTarget }) => set(currentTarget.value === '' ? undefined : currentTarget.value)}
      />
    </label>
  );
}
