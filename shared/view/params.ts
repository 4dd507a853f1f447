import { didYouMean } from '../model/index.ts';

/** A parameter of a view: enough for a form control, a command line flag and a link. */
export type ParamSpec = {
  readonly label: string;
  readonly help: string;
  /** True for what is set by choosing in the picture: no form control is shown for it. */
  readonly chosen?: true;
} & (
  | {
      readonly type: 'number';
      readonly default: number | null;
      readonly min?: number;
      readonly max?: number;
      readonly unit?: string;
    }
  | { readonly type: 'text'; readonly default: string | null }
  | { readonly type: 'flag'; readonly default: boolean }
  | {
      readonly type: 'choice';
      readonly default: string;
      readonly choices: readonly string[];
      /** What choices are called in a form; each by itself where it has no title. */
      readonly titles?: Readonly<Record<string, string>>;
    }
);

/** The parameters of a view, by name. */
export type ParamSpecs = Readonly<Record<string, ParamSpec>>;

/** A parameter that takes text; none is given at first. */
export const textParam = (label: string, help: string, more: Pick<ParamSpec, 'chosen'> = {}) =>
  ({ type: 'text', default: null, label, help, ...more }) as const;

/** A parameter that takes a number within bounds. */
export const numberParam = <D extends number | null>(
  label: string,
  help: string,
  preset: D,
  more: Pick<ParamSpec & { type: 'number' }, 'min' | 'max' | 'unit' | 'chosen'> = {},
) => ({ type: 'number', default: preset, label, help, ...more }) as const;

/** How many rows a list has. */
export const rowsParam = (help: string, preset: number, max: number) =>
  numberParam('Rows', help, preset, { min: 1, max });

/** A parameter that is on or off, and off at first. */
export const flagParam = (label: string, help: string) =>
  ({ type: 'flag', default: false, label, help }) as const;

/** A parameter that takes one of some words, the first unless it is given. */
export const choiceParam = <const C extends readonly [string, ...string[]]>(
  label: string,
  help: string,
  choices: C,
  titles: Readonly<Record<string, string>> = {},
) => ({ type: 'choice', default: choices[0], choices, titles, label, help }) as const;

/** The value that a parameter takes. */
type ParamValue<S extends ParamSpec> = S extends { type: 'number' }
  ? number | null
  : S extends { type: 'text' }
    ? string | null
    : S extends { type: 'flag' }
      ? boolean
      : S extends { type: 'choice'; choices: readonly (infer C)[] }
        ? C
        : never;

/** Values for all of a view's parameters. */
export type ParamValues<P extends ParamSpecs> = { readonly [K in keyof P]: ParamValue<P[K]> };

/** A parameter that does not fit its specification; the message names it and says what it takes. */
export class ParamError extends Error {
  override readonly name = 'ParamError';
}

/**
 * Reads values from outside (a form, a link, `--param k=v`: numbers and flags may come as text), fills in the
 * defaults, and throws a {@link ParamError} for an unknown name or a value that does not fit. `of`: what takes them, in words.
 */
export function readParams<P extends ParamSpecs>(
  specs: P,
  given: Readonly<Record<string, unknown>>,
  of: 'view' | 'panel' | 'question' = 'view',
): ParamValues<P> {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(specs, name)) {
      throw new ParamError(
        `unknown parameter "${name}": ${didYouMean(name, Object.keys(specs))}this ${of} takes ${Object.keys(specs).join(', ') || 'none'}`,
      );
    }
  }
  const entries = Object.entries(specs).map(([name, spec]) => [name, readParam(name, spec, given[name])]);
  return Object.fromEntries(entries) as ParamValues<P>;
}

function readParam(name: string, spec: ParamSpec, value: unknown): number | string | boolean | null {
  if (value === undefined) return spec.default;
  switch (spec.type) {
    case 'number':
      return readNumber(name, spec, value);
    case 'text':
      if (value === null || typeof value === 'string') return value;
      throw new ParamError(`parameter "${name}" takes text`);
    case 'flag':
      if (value === true || value === 'true' || value === '1' || value === '') return true;
      if (value === false || value === 'false' || value === '0') return false;
      throw new ParamError(`parameter "${name}" takes true or false`);
    case 'choice':
      if (typeof value === 'string' && spec.choices.includes(value)) return value;
      throw new ParamError(`parameter "${name}" takes one of ${spec.choices.join(', ')}`);
  }
}

function readNumber(name: string, spec: ParamSpec & { type: 'number' }, value: unknown): number | null {
  if (value === null || value === '') return null;
  const number = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : NaN;
  const { min = -Infinity, max = Infinity } = spec;
  if (Number.isNaN(number) || number < min || number > max) {
    const least = Number.isFinite(min) ? ` from ${min}` : '';
    const most = Number.isFinite(max) ? `${least === '' ? ' up' : ''} to ${max}` : '';
    const more = least !== '' && most === '' ? ' on' : '';
    throw new ParamError(`parameter "${name}" takes a number${least}${most}${more}`);
  }
  return number;
}
