import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawCpuUsage } from './draw.ts';
import { loadCpuUsage } from './load.ts';
import type { CpuUsageModel } from './model.ts';
import { params } from './params.ts';
import { recording } from './recording.ts';
import { cpuUsageTables } from './tables.ts';

/** Who used the CPUs, and when? */
export const cpuUsage: View<typeof params, CpuUsageModel> = {
  id: 'cpu-usage',
  title: 'CPU usage',
  question: 'Who used the CPUs, and when?',
  params,
  modules: ['etw.process', 'etw.cpu'],
  recording,
  load: loadCpuUsage,
  tables: cpuUsageTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawCpuUsage(container, model, context),
};
