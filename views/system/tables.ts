import type { NotRecorded } from '../../shared/recording/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { column, makeTable } from '../kit/index.ts';
import type {
  Device,
  Fact,
  KernelFlag,
  KindCount,
  Loss,
  ProviderCount,
  Service,
  SystemModel,
} from './model.ts';

function factTable(title: string, facts: readonly Fact[]): ViewTable {
  return makeTable<Fact>(
    title,
    [
      column('name', 'What', 'text', 'What is told.'),
      column('value', 'Value', 'text', 'As the trace has it.'),
    ],
    facts,
  );
}

/** Everything the view draws, in its order; what the trace tells nothing of is left out. */
export function systemTables(model: SystemModel): readonly ViewTable[] {
  return [
    factTable('Machine', model.machine),
    factTable('Recording', model.recording),
    makeTable<NotRecorded>(
      'Not recorded',
      [
        column('what', 'What would be known', 'text', 'What the trace does not tell.'),
        column('record', 'What records it', 'text', 'What to switch on next time.'),
      ],
      model.not_recorded,
    ),
    makeTable<KernelFlag>(
      'Kernel flags',
      [
        column(
          'flag',
          'Flag',
          'text',
          'The flag, as xperf names it. –: it has no public name.',
          ({ flag }) => (flag === '' ? null : flag),
        ),
        column('what', 'Records', 'text', 'What it records. –: not told here.'),
        column('on', 'On', 'text', 'Whether the session had it on. –: the trace does not say.', ({ on }) =>
          on === null ? null : on ? 'on' : 'off',
        ),
        column('events', 'Events', 'count', 'Its events in the file. –: not counted by flag.'),
        column(
          'place',
          'Bits',
          'text',
          'Where it stands in the session’s group masks: the mask’s number, and its bits there.',
        ),
      ],
      model.flags,
    ),
    makeTable<Device>(
      'Disks and network cards',
      [
        column('kind', 'Kind', 'text', 'What it is.'),
        column('name', 'Name', 'text', 'Its number, letter or description.'),
        column('details', 'Details', 'text', 'Sizes, or addresses.'),
      ],
      model.devices,
    ),
    makeTable<Loss>(
      'Losses',
      [
        column('ts', 'From', 'time_ns', 'Where the gap starts.'),
        column('dur', 'Length', 'duration_ns', 'How long it is. –: not measured, only its place is known.'),
        column('kind', 'Kind', 'text', 'What happened, in short.'),
        column('cpu', 'CPU', 'text', 'Whose events are missing. –: all.'),
        column('count', 'Lost', 'count', 'How many events or buffers. –: not known.'),
        column('message', 'Message', 'text', 'What happened, in words.'),
      ],
      model.losses,
    ),
    makeTable<Service>(
      'Services',
      [
        column('name', 'Service', 'text', 'Its name.'),
        column('pid', 'Process id', 'text', 'Of its host. –: it does not run.'),
        column('process', 'Host', 'text', 'The process that hosts it.'),
        column('state', 'State', 'text', 'As it was listed last.'),
        column('display_name', 'Display name', 'text', 'Its name for people.'),
      ],
      model.services,
    ),
    makeTable<ProviderCount>(
      'Events by provider',
      [
        column('provider', 'Provider', 'text', 'Its name, or its GUID.'),
        column('events', 'Events', 'count', 'In the file.'),
        column('converted', 'Own rows', 'count', 'With rows of their own kind.'),
        column('generic', 'Generic', 'count', 'Kept as generic events.'),
        column('skipped', 'Left out', 'count', 'Left out; the table of kinds has the reasons.'),
      ],
      model.providers,
    ),
    makeTable<KindCount>(
      'Events by kind',
      [
        column('provider', 'Provider', 'text', 'Its name, or its GUID.'),
        column('event', 'Event', 'text', 'Its name or number.'),
        column('version', 'Version', 'text', 'Of its layout.'),
        column('count', 'Events', 'count', 'In the file.'),
        column('fate', 'Became', 'text', 'converted: rows of its own kind; generic; skipped.'),
        column('reason', 'Why', 'text', 'Why it was left out.'),
      ],
      model.kinds,
    ),
  ].filter(({ rows }) => rows.length > 0);
}
