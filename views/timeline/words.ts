import { formatDuration, formatShare } from '../../shared/model/index.ts';
import type { LegendEntry, Palette } from '../kit/index.ts';
import { FIRST_READY, THREAD_CLASSES, type TrackClass } from './classes.ts';
import { colorOf } from './colors.ts';
import type { TimelineModel } from './model.ts';
import { machineClasses } from './machine.ts';
import { SAMPLE_CLASSES } from './sample-track.ts';

/** Some tracks, and what their colours mean. */
export interface Legend {
  readonly title: string;
  readonly entries: readonly LegendEntry[];
}

/** What the colours mean: of threads and processes those that there are, of CPUs, of the machine and of samples where there are any. */
export function legendOf(
  palette: Palette,
  { class_ns, cpu_classes, tracks, lines }: TimelineModel,
): readonly Legend[] {
  const entry = (of: TrackClass): LegendEntry => {
    const color = colorOf(palette, of);
    return { label: of.label, color: color ?? palette.hatch, mark: color === null ? 'hatch' : undefined };
  };
  const states = THREAD_CLASSES.filter(({ state }, of) => state !== 'nothing' && (class_ns[of] ?? 0) > 0);
  const sampled = tracks.some(({ kind }) => kind === 'samples') ? SAMPLE_CLASSES.slice(1) : [];
  const machine = machineClasses(tracks.flatMap(({ kind, label }) => (kind === 'machine' ? [label] : [])));
  const line: readonly LegendEntry[] =
    lines === null
      ? []
      : [
          {
            label: `line: ${lines.of}, ${lines.most === 0 ? 'always 0' : `0 at the foot, ${lines.most} at the top`}`,
            color: palette.text,
          },
        ];
  return [
    { title: 'Threads', entries: [...states.map(entry), ...line] },
    { title: 'CPUs', entries: cpu_classes.map(entry) },
    { title: 'Machine', entries: machine.map(entry) },
    { title: 'Samples', entries: sampled.map(entry) },
  ].filter(({ entries }) => entries.length > 0);
}

/** A cause of a smaller part of the time has no word above the tracks. */
const LEAST_SHARE = 0.001;

/** What stands above the tracks. */
export function sentencesOf({ class_ns, judged, range }: TimelineModel): readonly string[] {
  const sum = (state: string) =>
    class_ns.reduce((all, ns, of) => all + (THREAD_CLASSES[of]?.state === state ? ns : 0), 0);
  const [running_ns, ready_ns] = [sum('running'), sum('ready')];
  if (running_ns + ready_ns === 0) return [];
  const sentences = [
    // The tracks may be zoomed to less.
    `Within ${formatDuration(range.end - range.start)} threads ran for ${formatDuration(running_ns)} and were ready without a CPU for ${formatDuration(ready_ns)}.`,
  ];
  const causes = THREAD_CLASSES.map(({ why, label }, of) => ({ why, label, ns: class_ns[of] ?? 0 }))
    .filter(({ why, ns }) => why !== undefined && ns > 0 && ns >= ready_ns * LEAST_SHARE)
    .sort((a, b) => b.ns - a.ns)
    .slice(0, 3)
    .map(({ label, ns }) => `${label.replace('ready: ', '')} ${formatShare(ns / ready_ns)}`);
  const unjudged = (class_ns[FIRST_READY] ?? 0) / ready_ns;
  const rest = unjudged >= LEAST_SHARE ? [`not judged ${formatShare(unjudged)}`] : [];
  if (judged !== null && causes.length > 0)
    sentences.push(`Of this time: ${[...causes, ...rest].join(', ')}.`);
  return sentences;
}
