import { toNumber, toText, type Query } from '../../shared/engine/index.ts';
import { notRecorded } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import type { ParamValues } from '../../shared/view/index.ts';
import { kernelFlags } from './kernel-flags.ts';
import { devicesOf, machineFacts, recordingFacts } from './machine.ts';
import type { KindCount, ProviderCount, SystemModel } from './model.ts';
import type { params as specs } from './params.ts';
import { readAbout, readConfigs, readKinds, readLosses, readServices } from './read.ts';

/** Asks for what the trace says about the machine and about itself. */
export async function loadSystem(query: Query, { stopped }: ParamValues<typeof specs>): Promise<SystemModel> {
  const { tables } = dataOf(query);
  const about = await readAbout(tables);
  const configs = await readConfigs(tables);
  const kinds = await readKinds(tables);
  const flags = kernelFlags(toText(about.kernel_flags), kinds);
  return {
    origin_ns: toNumber(about.start_ts) ?? 0,
    machine: machineFacts(about, configs),
    recording: recordingFacts(about, flags),
    flags,
    not_recorded: notRecorded(kinds),
    devices: devicesOf(configs),
    services: await readServices(tables, stopped),
    losses: await readLosses(tables),
    providers: sumProviders(kinds),
    kinds,
  };
}

function sumProviders(kinds: readonly KindCount[]): readonly ProviderCount[] {
  const sums = new Map<string, { events: number; converted: number; generic: number; skipped: number }>();
  for (const { provider, fate, count } of kinds) {
    const sum = sums.get(provider) ?? { events: 0, converted: 0, generic: 0, skipped: 0 };
    sums.set(provider, sum);
    sum.events += count;
    if (fate === 'converted' || fate === 'generic' || fate === 'skipped') sum[fate] += count;
  }
  return [...sums]
    .map(([provider, sum]) => ({ provider, ...sum }))
    .sort((a, b) => b.events - a.events || (a.provider < b.provider ? -1 : 1));
}
