import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawCpuSampled } from './draw.ts';
import { loadCpuSampled } from './load.ts';
import type { CpuSampledModel } from './model.ts';
import { params } from './params.ts';
import { recording } from './recording.ts';
import { cpuSampledTables } from './tables.ts';

/** Which code used the CPUs? */
export const cpuSampled: View<typeof params, CpuSampledModel> = {
  id: 'cpu-sampled',
  title: 'CPU usage, sampled',
  question: 'Which code used the CPUs?',
  params,
  modules: ['etw.process', 'etw.sample', 'etw.sample_columns'],
  recording,
  load: loadCpuSampled,
  tables: cpuSampledTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawCpuSampled(container, model, context),
};
