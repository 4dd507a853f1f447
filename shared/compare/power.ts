import { readEventsOf, readFields, type EventShape } from '../events/index.ts';
import { formatCount } from '../model/index.ts';
import type { Tables } from '../tables/index.ts';

/** What power a machine had, in words; null where no event says it. */
export interface PowerState {
  /** Mains or battery; where it changed, each in its turn. */
  readonly source: string | null;
  /** The power plans, likewise. */
  readonly plan: string | null;
  readonly sleeps: string;
}

/** The plans that come with Windows, by their GUIDs (winnt.h; powercfg /list). */
const PLANS: ReadonlyMap<string, string> = new Map([
  ['381b4222-f694-41f0-9685-ff5bb260df2e', 'Balanced'],
  ['8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c', 'High performance'],
  ['a1841308-3541-4fab-bc81-f71556f20b4a', 'Power saver'],
  ['e9a42b02-d5df-448d-aa00-03f14749eb61', 'Ultimate performance'],
]);

/** Of an event that says what holds from then on: what its fields say; null for nothing. */
interface Told {
  readonly provider: string;
  /** The beginning of its name: some manifests have an opcode behind. */
  readonly name: string;
  readonly of: 'source' | 'plan';
  readonly says: (fields: Readonly<Record<string, unknown>>) => string | null;
}

const SOURCE = {
  provider: 'Microsoft-Windows-Kernel-Power',
  of: 'source',
  says: ({ AcOnline }) => (typeof AcOnline === 'boolean' ? (AcOnline ? 'mains' : 'battery') : null),
} as const satisfies Omit<Told, 'name'>;

const planOf = (guid: unknown): string | null =>
  typeof guid === 'string' ? (PLANS.get(guid.toLowerCase().replace(/[{}]/g, '')) ?? guid) : null;
const PLAN_PROVIDER = 'Microsoft-Windows-UserModePowerService';

const TOLD: readonly Told[] = [
  { ...SOURCE, name: 'AcDcStateRundown' },
  { ...SOURCE, name: 'AcDcStateChange' },
  {
    provider: PLAN_PROVIDER,
    name: 'RundownPowerScheme',
    of: 'plan',
    says: ({ SchemeGuid }) => planOf(SchemeGuid),
  },
  {
    provider: PLAN_PROVIDER,
    name: 'PowerSchemeChanged',
    of: 'plan',
    says: ({ NewSchemeGuid }) => planOf(NewSchemeGuid),
  },
];

/** What a recording says of the power of its machine. */
export async function loadPower(tables: Tables): Promise<PowerState> {
  const found = { source: new Array<string>(), plan: new Array<string>() };
  for (const [of, said] of await powerEvents(tables)) if (found[of].at(-1) !== said) found[of].push(said);
  const words = (states: readonly string[]) => (states.length === 0 ? null : states.join(', then '));
  const sleeps = await tables.rowCount('etw_suspend');
  return {
    source: words(found.source),
    plan: words(found.plan),
    sleeps: sleeps === 0 ? 'none recorded' : formatCount(sleeps),
  };
}

/** What events of power say, in the order of time. */
async function powerEvents(tables: Tables): Promise<readonly (readonly [of: Told['of'], said: string])[]> {
  const toldBy = ({ provider, name }: EventShape) =>
    TOLD.find((told) => told.provider === provider && name.startsWith(told.name));
  const events = await readEventsOf(tables, toldBy);
  return events.flatMap(({ of: { of, says }, fields }) => {
    const said = says(readFields(fields) ?? {});
    return said === null ? [] : [[of, said] as const];
  });
}
