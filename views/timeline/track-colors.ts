import type { Palette } from '../kit/index.ts';
import { extraColors } from './extra-classes.ts';
import { MACHINE_CLASSES } from './machine.ts';
import type { TimelineModel, Track } from './model.ts';
import { colorsOf, packedColors, threadColors, type Colors } from './picture.ts';
import { SAMPLE_CLASSES } from './sample-track.ts';

/** The colours of each kind of tracks, by class. */
export function colorsFor(palette: Palette, model: TimelineModel): Readonly<Record<Track['kind'], Colors>> {
  const threads = threadColors(palette);
  const items = packedColors(extraColors(palette));
  return {
    machine: colorsOf(palette, MACHINE_CLASSES),
    samples: colorsOf(palette, SAMPLE_CLASSES),
    items,
    cpu: colorsOf(palette, model.cpu_classes),
    process: threads,
    thread: threads,
    extra: items,
  };
}
