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
      column('name', 'What', 'text', 'What is told.', ({ name }) => name),
      column('value', 'Value', 'text', 'As the trace has it.', ({ value }) => value),
    ],
    facts,
  );
}

function notRecordedTable({ not_recorded }: SystemModel): ViewTable {
  return makeTable<NotRecorded>(
    'Not recorded',
    [
      column('what', 'What would be known', 'text', 'What the trace does not tell.', ({ what }) => what),
      column('record', 'What records it', 'text', 'What to switch on next time.', ({ record }) => record),
    ],
    not_recorded,
  );
}

function flagTable({ flags }: SystemModel): ViewTable {
  return makeTable<KernelFlag>(
    'Kernel flags',
    [
      column('flag', 'Flag', 'text', 'The flag, as xperf names it. –: it has no public name.', ({ flag }) =>
        flag === '' ? null : flag,
      ),
      column('what', 'Records', 'text', 'What it records. –: not told here.', ({ what }) => what),
      column('on', 'On', 'text', 'Whether the session had it on. –: the trace does not say.', ({ on }) =>
        on === null ? null : on ? 'on' : 'off',
      ),
      column(
        'events',
        'Events',
        'count',
        'Its events in the file. –: not counted by flag.',
        ({ events }) => events,
      ),
      column(
        'place',
        'Bits',
        'text',
        'Where it stands in the session’s group masks: the mask’s number, and its bits there.',
        ({ place }) => place,
      ),
    ],
    flags,
  );
}

function deviceTable({ devices }: SystemModel): ViewTable {
  return makeTable<Device>(
    'Disks and network cards',
    [
      column('kind', 'Kind', 'text', 'What it is.', ({ kind }) => kind),
      column('name', 'Name', 'text', 'Its number, letter or description.', ({ name }) => name),
      column('details', 'Details', 'text', 'Sizes, or addresses.', ({ details }) => details),
    ],
    devices,
  );
}

function serviceTable({ services }: SystemModel): ViewTable {
  return makeTable<Service>(
    'Services',
    [
      column('name', 'Service', 'text', 'Its name.', ({ name }) => name),
      column('pid', 'Process id', 'text', 'Of its host. –: it does not run.', ({ pid }) => pid),
      column('process', 'Host', 'text', 'The process that hosts it.', ({ process }) => process),
      column('state', 'State', 'text', 'As it was listed last.', ({ state }) => state),
      column(
        'display_name',
        'Display name',
        'text',
        'Its name for people.',
        (service) => service.display_name,
      ),
    ],
    services,
  );
}

function lossTable({ losses }: SystemModel): ViewTable {
  return makeTable<Loss>(
    'Losses',
    [
      column('ts', 'From', 'time_ns', 'Where the gap starts.', ({ ts }) => ts),
      column('dur', 'Length', 'duration_ns', 'How long it is; 0: only its place is known.', ({ dur }) => dur),
      column('kind', 'Kind', 'text', 'What happened, in short.', ({ kind }) => kind),
      column('cpu', 'CPU', 'text', 'Whose events are missing. –: all.', ({ cpu }) => cpu),
      column('count', 'Lost', 'count', 'How many events or buffers. –: not known.', ({ count }) => count),
      column('message', 'Message', 'text', 'What happened, in words.', ({ message }) => message),
    ],
    losses,
  );
}

function providerTable({ providers }: SystemModel): ViewTable {
  return makeTable<ProviderCount>(
    'Events by provider',
    [
      column('provider', 'Provider', 'text', 'Its name, or its GUID.', ({ provider }) => provider),
      column('events', 'Events', 'count', 'In the file.', ({ events }) => events),
      column('converted', 'Own rows', 'count', 'With rows of their own kind.', ({ converted }) => converted),
      column('generic', 'Generic', 'count', 'Kept as generic events.', ({ generic }) => generic),
      column(
        'skipped',
        'Left out',
        'count',
        'Left out; the table of kinds has the reasons.',
        (row) => row.skipped,
      ),
    ],
    providers,
  );
}

function kindTable({ kinds }: SystemModel): ViewTable {
  return makeTable<KindCount>(
    'Events by kind',
    [
      column('provider', 'Provider', 'text', 'Its name, or its GUID.', ({ provider }) => provider),
      column('event', 'Event', 'text', 'Its name or number.', ({ event }) => event),
      column('version', 'Version', 'text', 'Of its layout.', ({ version }) => version),
      column('count', 'Events', 'count', 'In the file.', ({ count }) => count),
      column(
        'fate',
        'Became',
        'text',
        'converted: rows of its own kind; generic; skipped.',
        ({ fate }) => fate,
      ),
      column('reason', 'Why', 'text', 'Why it was left out.', ({ reason }) => reason),
    ],
    kinds,
  );
}

/** Everything the view draws, in its order; what the trace tells nothing of is left out. */
export function systemTables(model: SystemModel): readonly ViewTable[] {
  return [
    factTable('Machine', model.machine),
    factTable('Recording', model.recording),
    notRecordedTable(model),
    flagTable(model),
    deviceTable(model),
    lossTable(model),
    serviceTable(model),
    providerTable(model),
    kindTable(model),
  ].filter(({ rows }) => rows.length > 0);
}
