import { COLORED_PROCESSES, type TrackClass } from './classes.ts';
import type { TimelineModel } from './model.ts';

/**
 * The model of a timeline that stands with that of another trace: the legend tells the states of both, their lines have one scale, and
 * processes of one name have one colour. `isBelow`: it takes the colours of the other one.
 */
export function besideModel(
  model: TimelineModel,
  other: TimelineModel | null,
  isBelow: boolean,
): TimelineModel {
  if (other === null) return model;
  const { lines, class_ns, cpu_classes } = model;
  return {
    ...model,
    class_ns: class_ns.map((ns, of) => ns + (other.class_ns[of] ?? 0)),
    lines: lines && { ...lines, most: Math.max(lines.most, other.lines?.most ?? 0) },
    cpu_classes: isBelow ? withColorsOf(other.cpu_classes, cpu_classes) : cpu_classes,
  };
}

function withColorsOf(above: readonly TrackClass[], below: readonly TrackClass[]): readonly TrackClass[] {
  const known = new Map<string, number>();
  for (const { label, series } of above) if (series !== undefined) known.set(label, series);
  const taken = new Set(known.values());
  const left = Array.from({ length: COLORED_PROCESSES }, (_, series) => series).filter(
    (series) => !taken.has(series),
  );
  return below.map(({ series, ...of }): TrackClass => {
    const own = series === undefined ? undefined : (known.get(of.label) ?? left.shift());
    return own === undefined ? of : { ...of, series: own };
  });
}
