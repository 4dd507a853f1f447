import { signal } from '@preact/signals';
import type { ServedLake } from '../../../shared/lake/index.ts';
import type { RemoteLakes, TeamServer } from '../../host/api.ts';
import type { Asked } from '../lake/asked.ts';
import { leaveTrace } from '../state.ts';

/** A lake that the window is connected to. */
export interface ConnectedLake {
  readonly server: TeamServer;
  readonly lake: ServedLake;
}

/** The lake that was asked last; null before. */
export const connected = signal<ConnectedLake | null>(null);
/** What is asked of it. */
export const lakeAsked = signal<Asked | null>(null);
/** The address that the dialog begins with; null where it is not shown. */
export const wantedLake = signal<string | null>(null);

/** Has the user say which lake is to be asked. */
export function askForLake(address: string): void {
  wantedLake.value = address;
}

/** Connects to a lake and shows its questions. Rejects with the words of the server if that refuses. */
export async function connectLake(
  lakes: RemoteLakes,
  server: TeamServer,
  signal: AbortSignal,
): Promise<void> {
  const lake = await lakes.about(server, signal);
  connected.value = { server, lake };
  lakeAsked.value = { question: lake.questions[0]?.id ?? '', params: {}, filter: {}, split: null };
  showLake();
}

/** Shows the questions to the lake that the window is connected to. */
export function showLake(): void {
  leaveTrace({ kind: 'lake' });
}
