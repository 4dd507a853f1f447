import { useState } from 'preact/hooks';
import type { Comparison, SideName } from '../../../shared/compare/index.ts';
import { comparePlace, setCompare } from './place.ts';

/** The processes that the user tied, and the way to tie two more. */
export function Ties({ comparison }: { readonly comparison: Comparison }) {
  const ties = comparePlace.value?.ties ?? [];
  const [chosen, setChosen] = useState<Readonly<Record<SideName, string>>>({ a: '', b: '' });
  const choose = (side: SideName) => (name: string) => setChosen({ ...chosen, [side]: name });
  const tie = () => {
    setCompare({ ties: [...ties, chosen] });
    setChosen({ a: '', b: '' });
  };
  return (
    <details class="compare-ties" open={ties.length > 0}>
      <summary>
        Tie processes by hand
        {ties.length === 0 ? '' : `: ${ties.length} ${ties.length === 1 ? 'tie' : 'ties'}`}
      </summary>
      <p class="hint">Two processes that were renamed, or started otherwise, are compared as one.</p>
      <ul>
        {ties.map((each, at) => (
          <li key={`${each.a} = ${each.b}`}>
            {each.a} = {each.b}{' '}
            <button
              type="button"
              title={`Untie ${each.a} and ${each.b}`}
              onClick={() => setCompare({ ties: ties.filter((_, other) => other !== at) })}
            >
              Untie
            </button>
          </li>
        ))}
      </ul>
      <p class="compare-tie">
        <Names side="a" comparison={comparison} value={chosen.a} set={choose('a')} />
        <span aria-hidden="true">=</span>
        <Names side="b" comparison={comparison} value={chosen.b} set={choose('b')} />
        <button type="button" disabled={chosen.a === '' || chosen.b === ''} onClick={tie}>
          Tie
        </button>
      </p>
    </details>
  );
}

interface NamesProps {
  readonly side: SideName;
  readonly comparison: Comparison;
  readonly value: string;
  readonly set: (name: string) => void;
}

/** The processes of a side that are not tied; those that have no partner come first. */
function Names({ side, comparison: { processes }, value, set }: NamesProps) {
  const of = (isAlone: boolean) =>
    processes
      .filter(({ step }) => step !== 'tied' && (step === 'only') === isAlone)
      .flatMap((process) => (side === 'a' ? process.a_names : process.b_names));
  const group = (label: string, names: readonly string[]) =>
    names.length > 0 && (
      <optgroup label={label}>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </optgroup>
    );
  const name = side.toUpperCase();
  return (
    <select
      aria-label={`Process of ${name}`}
      value={value}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    >
      <option value="">Process of {name}…</option>
      {group(`Only in ${name}`, of(true))}
      {group('On both sides', of(false))}
    </select>
  );
}
