import { formatCount } from '../model/index.ts';
import { signalOf, type SignalId } from './signals.ts';
import { areRecordedAlike, capital, recordedByAll } from './words.ts';

/** A signal that a view says it lacks. */
export interface Need {
  /** The signal, or several signals: any one of them will do. */
  readonly signal: SignalId | readonly SignalId[];
  /** What is not known without it, as a sentence: "who ran is not known". */
  readonly without: string;
  /** True where the view has nothing to show without it. */
  readonly is_required?: true;
  /** A signal whose own note says this too, where that one is missing. */
  readonly part_of?: SignalId;
}

/** What a view needs of a recording. */
export interface RecordingNeeds {
  readonly needs: readonly Need[];
  /** Signals that the view uses where they are there, and misses without a word. */
  readonly uses?: readonly SignalId[];
  /** Signals that by themselves give the view something to show, whatever else is missing. */
  readonly shows_alone?: readonly SignalId[];
  /** What gaps in the recording mean for the view, as a sentence; absent where it does not say. */
  readonly gaps?: string;
}

/** What a view says of what its trace lacks. */
export interface RecordingNotes {
  /** Why there is nothing to show; null where there may be. */
  readonly unrecorded: string | null;
  /** What cannot be known, and which recording would tell. */
  readonly notes: readonly string[];
}

/** The signals that a need names. */
export function signalsOf({ signal }: Need): readonly SignalId[] {
  return typeof signal === 'string' ? [signal] : signal;
}

/**
 * What to say of a trace that holds some signals and has gaps. `selected` tells which kinds of events were converted, such
 * as `skip stacks`; null: all.
 */
export function recordingNotes(
  { needs, gaps: meaning }: RecordingNeeds,
  held: ReadonlySet<SignalId>,
  selected: string | null,
  gaps: number,
): RecordingNotes {
  const isMissing = (need: Need) => !signalsOf(need).some((id) => held.has(id));
  const isSaid = ({ part_of }: Need) =>
    part_of !== undefined && needs.some((need) => need.signal === part_of && isMissing(need));
  const missing = needs.filter((need) => isMissing(need) && !isSaid(need));
  const required = missing.find(({ is_required }) => is_required);
  if (required !== undefined) {
    const unrecorded = missingNote(required, selected, missing);
    return { unrecorded, notes: [unrecorded] };
  }
  const notes = missing.map((need) => missingNote(need, selected, [need]));
  if (meaning === undefined || gaps === 0) return { unrecorded: null, notes };
  const where = gaps === 1 ? 'one gap' : `${formatCount(gaps)} gaps`;
  return { unrecorded: null, notes: [...notes, `Events were lost in ${where}: ${meaning}.`] };
}

/** What to say of a missing need. The same recording would tell what else is `missing`, if the same thing in WPR records it. */
function missingNote(need: Need, selected: string | null, missing: readonly Need[]): string {
  const signals = signalsOf(need).map(signalOf);
  const { without } = need;
  const none = signals.map(({ name }) => `no ${name}`).join(' and ');
  if (selected !== null && signals.some(({ kind }) => kind !== undefined && isLeftOut(kind, selected)))
    return `The part that was opened has ${none}: ${without}. It was opened with: ${selected}.`;
  const [first] = signals;
  if (first !== undefined && 'from' in first.recipe)
    return `There are ${none}: ${without}. They come from ${first.recipe.from}.`;
  const start =
    first?.may_be_none === true
      ? `There were no ${first.name}, or they were not recorded`
      : `${capital(none)} were recorded`;
  const same = missing
    .flatMap(signalsOf)
    .map(signalOf)
    .filter((other) => signals.some((signal) => areRecordedAlike(signal.recipe, other.recipe)));
  const record = first !== undefined && 'provider' in first.recipe ? 'Record' : 'Record with';
  return `${start}: ${without}. ${record} ${recordedByAll([...signals, ...same])}.`;
}

/** Whether events of a kind were left out, as by `skip stacks` or `only scheduling,images`. */
function isLeftOut(kind: string, selected: string): boolean {
  const [word, list = ''] = selected.split(' ');
  return list.split(',').includes(kind) === (word === 'skip');
}
