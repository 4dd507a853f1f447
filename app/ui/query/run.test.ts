// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import type { Session } from '../session.ts';
import { runTab } from './run.ts';
import { activeTab, openTab } from './tabs.ts';

test('the time of a run goes on while no rows come, and stands still once it is over', async () => {
  vi.useFakeTimers();
  let answer = (): void => undefined;
  const session = {
    query: () => new Promise(() => undefined),
    queryInParts: () => new Promise<void>((resolve) => (answer = resolve)),
  } as unknown as Session;
  openTab('SELECT sum(i) FROM n');
  const running = runTab(session, activeTab.value?.id ?? 0);
  const shown = () => [activeTab.value?.run?.state, activeTab.value?.run?.tookMs];
  await vi.advanceTimersByTimeAsync(3000);
  expect(shown()).toEqual(['running', 3000]);
  await vi.advanceTimersByTimeAsync(500);
  answer();
  await running;
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown()).toEqual(['done', 3500]);
  vi.useRealTimers();
});
