import { eachEpisode, Numbers, type Delay, type EpisodeKind } from '../causes/index.ts';
import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, type Stretch } from '../tables/index.ts';
import { percentiles } from './nearest-ranks.ts';

/** So many episodes of each group are divided at most. */
const MOST = 100;

/** An episode that is divided. */
export interface Episode extends Delay {
  /** The CPU that the thread waited for, where the episode ends with a switch-in; null elsewhere. */
  readonly cpu: number | null;
}

/** A group of episodes. */
export interface Group {
  /** How many there are. */
  readonly count: number;
  /** All of them; of many some that lie evenly in the order in which they are told. */
  readonly picked: readonly Episode[];
}

/** Lengths of episodes in ns, both ends inside. */
export interface Lengths {
  readonly from_ns: number;
  readonly to_ns: number;
}

/** Which episodes are compared; null: those above p95, and those up to p50. */
export interface Groups {
  readonly slow: Lengths | null;
  readonly ordinary: Lengths | null;
}

/** The episodes of a kind that are slow, and those that are ordinary. */
export interface Picked {
  readonly count: number;
  /** Where no other lengths are asked for, no ordinary episode is longer, and no slow one is shorter or as long. */
  readonly p50_ns: number;
  readonly p95_ns: number;
  readonly slow: Group;
  readonly ordinary: Group;
}

/** Divides the episodes of a kind into groups of lengths; percentiles are by nearest rank. */
export async function pickEpisodes(
  query: Query,
  range: Stretch,
  kind: EpisodeKind,
  asked: Groups,
): Promise<Picked> {
  const { inOrder, p50_ns, p95_ns } = await keepLengths(query, `${kind} ${range.start} ${range.end}`, () =>
    readLengths(query, range, kind),
  );
  const count = inOrder.length;
  // Where all are alike, p50 is p95: then there is nothing to compare.
  const slow = new Picker(inOrder, asked.slow ?? { from_ns: p95_ns + 1, to_ns: Infinity });
  const ordinary = new Picker(inOrder, asked.ordinary ?? { from_ns: 0, to_ns: p50_ns });
  let place = 0;
  // Of millions a few hundred are picked.
  let wanted = Math.min(slow.wanted, ordinary.wanted);
  await eachEpisode(query, range, [kind], (_, utid, ts, te, cpu) => {
    if (place++ !== wanted) return;
    for (const group of [slow, ordinary]) group.look(wanted, { utid, ts, te, cpu });
    wanted = Math.min(slow.wanted, ordinary.wanted);
  });
  return { count, p50_ns, p95_ns, slow, ordinary };
}

/** How long episodes are, in the order in which they are told. */
interface LengthsInOrder {
  readonly inOrder: Float64Array;
  readonly p50_ns: number;
  readonly p95_ns: number;
}

/** Who compares other groups of the same episodes does not wait for their lengths again. */
const keepLengths = keepLast<LengthsInOrder>();

async function readLengths(query: Query, range: Stretch, kind: EpisodeKind): Promise<LengthsInOrder> {
  const lengths = new Numbers(kind === 'wake' ? await dataOf(query).tables.rowCount('etw_ready_wait') : 0);
  await eachEpisode(query, range, [kind], (_, _utid, ts, te) => lengths.push(te - ts));
  const inOrder = lengths.values();
  const [p50_ns = 0, p95_ns = 0] = percentiles(inOrder, [0.5, 0.95]);
  return { inOrder, p50_ns, p95_ns };
}

/** Picks episodes of some lengths by their places in the order in which they are told. */
class Picker implements Group {
  readonly picked: Episode[] = [];
  readonly count: number;
  readonly #places: Uint32Array;

  constructor(lengths: Float64Array, { from_ns, to_ns }: Lengths) {
    let count = 0;
    for (let place = 0; place < lengths.length; place++) {
      const ns = lengths[place] ?? 0;
      if (ns >= from_ns && ns <= to_ns) count++;
    }
    this.count = count;
    const step = Math.max(1, count / MOST);
    const places = new Uint32Array(Math.min(count, MOST));
    let [nth, found] = [0, 0];
    for (let place = 0; place < lengths.length && found < places.length; place++) {
      const ns = lengths[place] ?? 0;
      if (ns >= from_ns && ns <= to_ns && nth++ === Math.ceil(found * step)) places[found++] = place;
    }
    this.#places = places;
  }

  /** The place of the episode that is picked next; infinite after the last. */
  get wanted(): number {
    return this.#places[this.picked.length] ?? Infinity;
  }

  look(place: number, episode: Episode): void {
    if (place === this.wanted) this.picked.push(episode);
  }
}
