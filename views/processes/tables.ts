import { formatExitCode } from '../../shared/model/index.ts';
import { parentLabel } from '../../shared/threads/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { column, makeTable } from '../kit/index.ts';
import {
  exitsOf,
  lifeLabel,
  type EndedProcess,
  type ExitQueue,
  type ProcessesModel,
  type ProcessLife,
  type RateStep,
  type Waiter,
} from './model.ts';

/** Em spaces, which no table folds into one. */
const INDENT = '\u2003';

/** The processes as a tree: children indented below their parents. */
export function processTable({ processes }: ProcessesModel): ViewTable {
  return makeTable<ProcessLife>(
    'Processes',
    [
      column(
        'process',
        'Process',
        'text',
        'Name of the image, indented below the parent.',
        ({ name, depth }) => INDENT.repeat(depth) + name,
      ),
      column('pid', 'PID', 'text', 'Process id.', ({ pid }) => String(pid)),
      column('session', 'Session', 'text', 'Terminal session; 0 for services.', ({ session }) =>
        session === null ? null : String(session),
      ),
      column('create_ts', 'Created', 'time_ns', 'Empty: before the trace.'),
      column('exit_ts', 'Gone', 'time_ns', 'Empty: it did not end within the trace.'),
      column(
        'lived_ns',
        'Lived',
        'duration_ns',
        'From creation to end; empty where one of them is not within the trace.',
        ({ create_ts, exit_ts }) => (create_ts === null || exit_ts === null ? null : exit_ts - create_ts),
      ),
      column(
        'exit_ns',
        'Exit took',
        'duration_ns',
        'From when the exit began until the process was gone.',
        ({ exit }) => exit?.dur ?? null,
      ),
      column('threads', 'Threads', 'count', 'How many it ever had. –: threads were not recorded.'),
      column(
        'exit_code',
        'Exit code',
        'text',
        'What it ended with, in hexadecimal beyond 255.',
        ({ exit_code }) => formatExitCode(exit_code),
      ),
      column('services', 'Services', 'text', 'The services that it hosts.'),
      column('command_line', 'Command line', 'text', 'As it was created.'),
      column('parent', 'Parent', 'text', 'Who created it; its id where it is not in the trace.', (process) =>
        parentLabel(process.parent, process.parent_pid),
      ),
      column('package', 'Package', 'text', 'Full name of its app package.'),
    ],
    processes,
  );
}

/** The exits, those that took longest first. */
export function exitTable(model: ProcessesModel): ViewTable {
  return makeTable<EndedProcess>(
    'Exits',
    [
      column('process', 'Process', 'text', 'The process that ended.', lifeLabel),
      column(
        'ts',
        'Began',
        'time_ns',
        'When the exit began: by the kernel’s event for it, else the end of the last thread.',
        ({ exit }) => exit.ts,
      ),
      column('dur', 'Took', 'duration_ns', 'Until the process was gone.', ({ exit }) => exit.dur),
      column(
        'cleanup_ns',
        'Cleanup',
        'duration_ns',
        'Of it, after the end of the last thread.',
        ({ exit: { ts, dur, last_thread_ts } }) =>
          last_thread_ts === null ? null : ts + dur - last_thread_ts,
      ),
      column(
        'waited_ns',
        'Waited',
        'duration_ns',
        'Longest time that its last thread was blocked meanwhile.',
        ({ exit }) => exit.wait?.dur ?? null,
      ),
      column('reason', 'For', 'text', 'Why it waited.', ({ exit }) => exit.wait?.reason ?? null),
      column(
        'let_go_by',
        'Let go by',
        'text',
        'The thread that ended that wait.',
        ({ exit }) => exit.wait?.let_go_by ?? null,
      ),
      column(
        'before',
        'Queued behind',
        'text',
        'The process that was exiting itself as it let this one go, itself or through one other thread.',
        ({ exit }) => exit.wait?.before ?? null,
      ),
    ],
    exitsOf(model),
  );
}

/** Exits that waited for one another. */
export function queueTable({ queues }: ProcessesModel): ViewTable {
  return makeTable<ExitQueue>(
    'Serialised exits',
    [
      column('ts', 'From', 'time_ns', 'When the first began to wait.'),
      column('dur', 'Took', 'duration_ns', 'Until the last was gone.'),
      column('exits', 'One at a time', 'count', 'Exits that were let go by the one before.'),
      column('per_exit_ns', 'Each', 'duration_ns', 'Of the whole, for each.'),
      column('exiting', 'At once', 'count', 'Exits that were under way at once, at most.'),
      column('reason', 'Behind', 'text', 'Why most of them waited.'),
    ],
    queues,
  );
}

/** Who waited for exits without exiting. */
export function waiterTable({ waiters }: ProcessesModel): ViewTable {
  return makeTable<Waiter>(
    'Who else waited for exiting processes',
    [
      column('thread', 'Thread', 'text', 'A thread that waited for what an exiting process held.'),
      column('longest_ns', 'Longest wait', 'duration_ns', 'Blocked, until let go.'),
      column('ts', 'From', 'time_ns', 'When that wait began.'),
      column('reason', 'For', 'text', 'Why it waited.'),
      column('waits', 'Waits', 'count', 'How often it waited so.'),
    ],
    waiters,
  );
}

/** Everything the view draws. */
export function processesTables(model: ProcessesModel): readonly ViewTable[] {
  const steps = model.steps.filter(({ created, ended, exiting }) => created + ended + exiting > 0);
  return [
    processTable(model),
    exitTable(model),
    queueTable(model),
    waiterTable(model),
    makeTable<RateStep>(
      'Creations and exits over time',
      [
        column('ts', 'From', 'time_ns', 'When the step starts; steps without any are left out.'),
        column('dur', 'Length', 'duration_ns', 'How long the step is.'),
        column('created', 'Created', 'count', 'Processes created in it.'),
        column('ended', 'Gone', 'count', 'Processes gone in it.'),
        column('exiting', 'Exiting', 'count', 'Exits under way at once, at most.'),
      ],
      steps,
    ),
  ];
}
