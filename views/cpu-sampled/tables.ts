import type { CallSamples, FunctionSamples, HotLoop, SampleGroup } from '../../shared/profile/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { column, columns, makeTable, type Column } from '../kit/index.ts';
import type { CpuSampledModel } from './model.ts';

type Model = CpuSampledModel;

/** A count of samples, its share of all that the filters let through, and the CPU time that it stands for. */
function sampleColumns<T>(model: Model, of: (row: T) => number): readonly Column<T>[] {
  const { interval_ns } = model;
  const all = Math.max(1, model.samples);
  return [
    column('samples', 'Samples', 'count', 'Samples in it, or in what it called.', of),
    column(
      'share',
      'Share',
      'share',
      'Samples / all samples that the filters let through.',
      (row) => of(row) / all,
    ),
    ...(interval_ns === null
      ? []
      : [
          column<T>('ran_ns', 'CPU time', 'duration_ns', 'Samples × the interval between two.', (row) =>
            Math.round(of(row) * interval_ns),
          ),
        ]),
  ];
}

/** The samples of each group, and what the CPU was at. */
export function groupTable(model: Model): ViewTable {
  const part = (name: keyof SampleGroup['modes'], title: string, help: string) =>
    column<SampleGroup>(
      name,
      title,
      'share',
      help,
      ({ modes, samples }) => modes[name] / Math.max(1, samples),
    );
  return makeTable<SampleGroup>(
    'Samples by group',
    [
      column('group', 'Group', 'text', 'What the samples are grouped by.', ({ label }) => label),
      ...sampleColumns<SampleGroup>(model, ({ samples }) => samples),
      part('user', 'User', 'Part of its samples in user mode.'),
      part('kernel', 'Kernel', 'Part of its samples in the kernel, without DPCs and ISRs.'),
      part('dpc', 'DPC', 'Part of its samples in a deferred procedure call, which only interrupted it.'),
      part('isr', 'ISR', 'Part of its samples in an interrupt service routine, which only interrupted it.'),
    ],
    model.groups,
  );
}

/** Functions, those with most samples of their own first. */
export function functionTable(model: Model): ViewTable {
  const all = Math.max(1, model.samples);
  return makeTable<FunctionSamples>(
    'Functions',
    [
      column(
        'function',
        'Function',
        'text',
        'Function, module or instruction, as the frames are told apart.',
        ({ label }) => label,
      ),
      column('self', 'Self', 'count', 'Samples in itself.'),
      column(
        'self_share',
        'Self share',
        'share',
        'Samples in itself / all samples that the filters let through.',
        ({ self }) => self / all,
      ),
      ...sampleColumns<FunctionSamples>(model, ({ samples }) => samples),
      column('module', 'Module', 'text', 'The image that it is in.', ({ module }) => module || null),
    ],
    model.functions,
  );
}

/** Who calls the chosen function, and what it calls. */
export function butterflyTables(model: Model): readonly ViewTable[] {
  if (model.butterfly === null) return [];
  const { chosen, callers, callees } = model.butterfly;
  const table = (title: string, help: string, rows: readonly CallSamples[]) =>
    makeTable<CallSamples>(
      `${title} ${chosen.label}`,
      [
        column('function', 'Function', 'text', help, ({ label }) => label),
        ...sampleColumns<CallSamples>(model, ({ samples }) => samples),
      ],
      rows,
    );
  return [
    table('Callers of', 'Who called it. The samples are those of the chosen function.', callers),
    table('Callees of', 'What it called, and what it ran itself.', callees),
  ];
}

function loopTable(model: Model): ViewTable {
  return makeTable<HotLoop>(
    'Hot loops',
    [
      { ...columns.process, help: 'The process.' },
      columns.pid,
      column('from', 'From', 'text', 'The first instruction that was sampled.'),
      column('to', 'To', 'text', 'The last one.'),
      column('bytes', 'Bytes', 'count', 'From the first to the last, in bytes.'),
      column('addresses', 'Instructions', 'count', 'Different instructions that were sampled.'),
      column('threads', 'Threads', 'count', 'Threads that were sampled there.'),
      ...sampleColumns<HotLoop>(model, ({ samples }) => samples),
      column(
        'of_process',
        'Of its process',
        'share',
        'Samples / samples of the process outside DPCs and ISRs.',
        ({ share }) => share,
      ),
    ],
    model.hot_loops,
  );
}

function loopAddressTable(model: Model): ViewTable {
  return makeTable<CallSamples>(
    'Instructions of hot loops',
    [
      column(
        'address',
        'Instruction',
        'text',
        'Where the sample was: the instruction to be executed next.',
        ({ label }) => label,
      ),
      ...sampleColumns<CallSamples>(model, ({ samples }) => samples),
    ],
    model.hot_loops.flatMap(({ hottest }) => hottest),
  );
}

/** Everything the view draws, save the picture's tree. */
export function cpuSampledTables(model: Model): readonly ViewTable[] {
  return [
    groupTable(model),
    functionTable(model),
    ...butterflyTables(model),
    loopTable(model),
    loopAddressTable(model),
  ];
}
