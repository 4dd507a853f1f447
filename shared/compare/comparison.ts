import type { Stretch } from '../tables/index.ts';
import type { Why } from '../why-late/index.ts';
import type { JudgedBound } from './bounds.ts';
import type { Measure, Place } from './cells.ts';
import type { Certainty } from './certainty.ts';
import type { ComparedKind } from './episodes.ts';
import type { LifeEvent, Subject } from './gather.ts';
import type { Matched, SideName } from './match.ts';
import type { MatchedThreads } from './matched-threads.ts';
import type { LengthSide, QuantileName } from './quantiles.ts';
import type { RecordingDifference } from './recorded.ts';
import type { ComparedStack } from './stacks.ts';

/** A part of a difference, in ns. */
export interface DifferencePart {
  readonly name: string;
  readonly a_ns: number;
  readonly b_ns: number;
  readonly delta_ns: number;
}

/** What shows a row on one side. */
export interface SideProof {
  /** Lengths of the runs, of the blocked waits, of the I/O (samples have none but their number), or of all ready waits of the process whatever their causes. */
  readonly lengths: LengthSide;
  /** What counts most, of different threads; `trace` is its number on the side. */
  readonly places: readonly (Place & { readonly trace: number })[];
  /** How many ns each block of time has (a second, or several of a long range), or each trace where a side has several. */
  readonly blocks_ns: readonly number[];
}

/** A row of what changed. Times are ns; those of A are for so long as a trace of B is. */
export interface Change extends Subject, Certainty {
  /** What it is, in words, without the process. */
  readonly what: string;
  readonly a_ns: number;
  readonly b_ns: number;
  readonly delta_ns: number;
  /** By thread, largest first; they add up to `delta_ns` but for blocked time and I/O. */
  readonly threads: readonly DifferencePart[];
  /** CPU time by rank and priority, sampled CPU time by function; largest first. */
  readonly parts: readonly DifferencePart[];
  readonly proof: Readonly<Record<SideName, SideProof>>;
}

/** A sum of all processes; the causes of ready time add up to all of it. */
export interface Total extends Certainty {
  readonly measure: Measure;
  readonly why: Why | null;
  readonly what: string;
  readonly a_ns: number;
  readonly b_ns: number;
  readonly delta_ns: number;
}

/** Context switches to the threads of a process; counts of A are for so long as a trace of B is. */
export interface SwitchChange extends Certainty {
  readonly process: number;
  readonly a: number;
  readonly b: number;
}

/** Starts or exits of processes that are alike, counted likewise. */
export interface LifeChange extends SwitchChange {
  readonly what: LifeEvent;
}

/** Lengths of ready waits on both sides; of all processes where `process` is null. */
export interface LengthChange {
  readonly process: number | null;
  readonly a: LengthSide;
  readonly b: LengthSide;
  /** Those of the quantiles that differ for sure. */
  readonly sure: readonly QuantileName[];
}

/** Lengths of the episodes of a kind on both sides. */
export interface EpisodeChange extends Omit<LengthChange, 'process'> {
  readonly kind: ComparedKind;
  readonly title: string;
}

/** What is known of a side. */
export interface SideAbout {
  readonly traces: readonly string[];
  /** The mean length of a trace in ns. */
  readonly length_ns: number;
  /** The range of each trace, in ns on its clock. */
  readonly ranges: readonly Stretch[];
  /** The length of each block of time (or trace) in `blocks_ns` of {@link SideProof}. */
  readonly blocks_ns: readonly number[];
}

/** What changed from A to B. */
export interface Comparison {
  readonly a: SideAbout;
  readonly b: SideAbout;
  /** In what the recordings differ: first, since no figure is better than these. */
  readonly recording: readonly RecordingDifference[];
  /** What cannot be compared, and what must be known to read the rest, as sentences. */
  readonly notes: readonly string[];
  readonly processes: readonly Matched[];
  readonly threads: readonly MatchedThreads[];
  readonly totals: readonly Total[];
  /** What is sure first, then by length. */
  readonly changes: readonly Change[];
  /** Whom others waited for, sorted likewise. These times are among those of `changes`, told by who made others wait. */
  readonly blame: readonly Change[];
  readonly switches: readonly SwitchChange[];
  readonly lives: readonly LifeChange[];
  readonly lengths: readonly LengthChange[];
  readonly episodes: readonly EpisodeChange[];
  readonly bounds: readonly JudgedBound[];
  /** The sampled stacks of both sides, of the processes that have any; none where a side recorded no samples. */
  readonly stacks: readonly ProcessStacks[];
}

/** The sampled stacks of a process. */
export interface ProcessStacks {
  readonly process: number;
  readonly root: ComparedStack;
}
