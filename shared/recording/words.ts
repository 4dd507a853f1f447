import type { Recipe, Signal } from './signal.ts';

/** What records a signal, as a noun: "the kernel flag CSWITCH (in WPR: the CPU profile)". */
export function recordedBy({ recipe }: Pick<Signal, 'recipe'>): string {
  if ('by' in recipe) return recipe.by;
  if ('from' in recipe) return recipe.from;
  if ('provider' in recipe) return providerWords(recipe);
  const { flags, without, stacks = [], wpr } = recipe;
  const but = without === undefined ? '' : ` without ${without}`;
  const with_stacks = stacks.length === 0 ? '' : ` and stacks of ${listed(stacks.map(({ xperf }) => xperf))}`;
  return `the kernel flag${flags.length === 1 ? '' : 's'} ${listed(flags)}${but}${with_stacks} (in WPR: ${wpr})`;
}

function providerWords({ provider, keyword, keyword_name }: Extract<Recipe, { provider: string }>): string {
  if (keyword === undefined) return `the provider ${provider}`;
  const name = keyword_name === undefined ? '' : ` (${keyword_name})`;
  return `the provider ${provider} with the keyword ${keywordText(keyword)}${name}`;
}

/** Whether the same profile or keyword of WPR records both. */
export function areRecordedAlike(one: Recipe, other: Recipe): boolean {
  return 'wpr' in one && 'wpr' in other && one.wpr === other.wpr;
}

/** What records several signals: those that the same thing in WPR records are named together. */
export function recordedByAll(signals: readonly Pick<Signal, 'recipe'>[]): string {
  const merged: Recipe[] = [];
  for (const { recipe } of signals) {
    const at = merged.findIndex((other) => areRecordedAlike(other, recipe));
    const before = merged[at];
    if (before === undefined || !('flags' in before) || !('flags' in recipe)) merged.push(recipe);
    else merged[at] = { ...before, ...recipe, flags: [...new Set([...before.flags, ...recipe.flags])] };
  }
  return merged.map((recipe) => recordedBy({ recipe })).join(' or ');
}

/** The bits of a keyword, as xperf and WPR take them. */
export function keywordText(keyword: bigint): string {
  const digits = keyword.toString(16).toUpperCase();
  return `0x${digits.length > 8 ? digits.padStart(16, '0') : digits}`;
}

/** "A", "A and B", "A, B and C". */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** A signal and what it tells, as the title of a list's row: "Context switches: what ran when, on which CPU". */
export function signalTitle({ name, tells, may_be_none }: Signal): string {
  return `${capital(name)}: ${tells}${may_be_none === true ? ' (or there were none)' : ''}`;
}

/** A text that begins a sentence. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
