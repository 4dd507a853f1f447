import type { Header, HeaderEntry } from '../sql-file/index.ts';
import type { ParamSpec, ParamSpecs, ParamValues } from '../view/index.ts';

/** Units of a number whose SQL value is in ns, or a part of 1. */
const SCALES: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, '%': 0.01 };

const PARAM = /^([a-z][a-z0-9_]*) (number|text|flag|choice)(?: (.*?))? ?= ?(.+?): (.+)$/;

/** Reads the `@param` entries of a panel. None may have one of the names in `taken`. */
export function readParamSpecs(header: Header, taken: readonly string[]): ParamSpecs {
  const specs = new Map<string, ParamSpec>();
  for (const entry of header.all('param')) {
    const [, name = '', type = '', detail = '', preset = '', help = ''] = PARAM.exec(entry.value) ?? [];
    if (name === '')
      throw header.refusal(entry, 'takes "NAME TYPE = DEFAULT: HELP", such as "at_least number ms = 1: …"');
    if (taken.includes(name)) throw header.refusal(entry, `${name}: the name is that of a given parameter`);
    if (specs.has(name)) throw header.refusal(entry, `${name} is there twice`);
    specs.set(name, readSpec(header, entry, { name, type, detail, preset, help }));
  }
  return Object.fromEntries(specs);
}

interface ParamParts {
  readonly name: string;
  readonly type: string;
  readonly detail: string;
  readonly preset: string;
  readonly help: string;
}

/** The unit of a number, as its control has it: `us` is what keyboards have for `µs`. */
function unitOf(detail: string): { readonly unit?: string } {
  return detail === '' ? {} : { unit: detail === 'us' ? 'µs' : detail };
}

function readSpec(header: Header, entry: HeaderEntry, parts: ParamParts): ParamSpec {
  const { name, type, detail, preset, help } = parts;
  const words = name.replaceAll('_', ' ');
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  const given = preset === 'none' ? null : preset;
  const choices = detail.split('|').map((choice) => choice.trim());
  if (type !== 'number' && type !== 'choice' && detail !== '')
    throw header.refusal(entry, `${name}: a ${type} takes nothing before its "="`);
  switch (type) {
    case 'number': {
      const value = given === null ? null : Number(given);
      if (Number.isNaN(value)) throw header.refusal(entry, `${name}: "${preset}" is no number`);
      return { type, label, help, default: value, ...unitOf(detail) };
    }
    case 'flag':
      if (preset !== 'true' && preset !== 'false')
        throw header.refusal(entry, `${name}: a flag is true or false, not "${preset}"`);
      return { type, label, help, default: preset === 'true' };
    case 'choice':
      if (choices.length < 2 || !choices.includes(preset))
        throw header.refusal(entry, `${name}: takes "choice ONE|OTHER = ONE: …", the default one of them`);
      return { type, label, help, default: preset, choices };
    default:
      return { type: 'text', label, help, default: given };
  }
}

/** What the SQL takes for the values of a panel's params: times in ns, flags as 1 and 0. */
export function paramBindings(
  specs: ParamSpecs,
  values: ParamValues<ParamSpecs>,
): Readonly<Record<string, number | string | null>> {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => {
      const value = values[name] ?? null;
      if (typeof value === 'boolean') return [name, Number(value)];
      const scale = spec.type === 'number' ? (SCALES[spec.unit ?? ''] ?? 1) : 1;
      return [name, typeof value === 'number' ? value * scale : value];
    }),
  );
}
