import { formatBytes, formatDuration } from '../../shared/model/index.ts';
import { commands } from './commands.ts';
import { connected, showLake } from './lake-window/connected.ts';
import { Logo } from './logo.tsx';
import { partLabel } from './part-choice.ts';
import type { Session } from './session.ts';
import { goHome, issuesShown, listAddress, loaded, shownTheme } from './state.ts';
import { symbolState } from './symbols/load.ts';
import { Reloading } from './reloading.tsx';
import { BackgroundTables } from './tables-status.tsx';

/** The trace and what it is like; buttons for the whole app. */
export function TopBar({ session }: { readonly session: Session }) {
  const trace = loaded.value;
  if (trace === null) return null;
  const { opened, summary } = trace;
  const problems = opened.warnings.length + opened.issues.length;
  const run = (id: string) => () => commands.find((command) => command.id === id)?.run(session);
  return (
    <header class="top-bar">
      <button
        type="button"
        class="plain home-button"
        title={listAddress.value === null ? 'Back to the start' : 'All traces of this server'}
        onClick={goHome}
      >
        <Logo />
        <span class="wordmark">Outrank</span>
      </button>
      <h1 class="file-name" title={opened.name}>
        {opened.name}
      </h1>
      <ul class="facts">
        <li>{formatDuration(summary.range.end - summary.range.start)}</li>
        <li>
          {summary.cpuCount} {summary.cpuCount === 1 ? 'CPU' : 'CPUs'}
        </li>
        <li>{formatBytes(opened.sizeBytes)}</li>
      </ul>
      {opened.part !== undefined && (
        <button
          type="button"
          class="badge"
          title="Only this part of the recording is loaded. Open all of it, or another part"
          onClick={() => void session.openOtherPart()}
        >
          Part: {partLabel(opened.part)}
        </button>
      )}
      {problems > 0 && (
        <button
          type="button"
          class="badge"
          aria-expanded={issuesShown.value}
          onClick={() => (issuesShown.value = !issuesShown.value)}
        >
          <span aria-hidden="true">▲</span> {problems} {problems === 1 ? 'warning' : 'warnings'}
        </button>
      )}
      <span class="space" />
      <Reloading />
      <BackgroundTables />
      {connected.value !== null && (
        <button type="button" title="Back to the lake that the trace is of" onClick={showLake}>
          Lake
        </button>
      )}
      {session.door.openDialog !== undefined && (
        <button type="button" onClick={run('open')}>
          Open…
        </button>
      )}
      {session.door.saveAs !== undefined && (
        <button type="button" title="Give this trace away" onClick={run('export')}>
          Export…
        </button>
      )}
      <button
        type="button"
        title="Copy a link to this place: trace, view, range, selection and marks (C); name it (Shift C)"
        onClick={run('copy-link')}
      >
        Copy link
      </button>
      <button type="button" title="Name the functions in stacks (Y)" onClick={run('symbols')}>
        {symbolState.value.kind === 'loading' ? 'Symbols…' : 'Symbols'}
      </button>
      <button
        type="button"
        class="icon"
        title="Dark or light (L)"
        aria-label="Dark or light"
        onClick={run('theme')}
      >
        {shownTheme.value === 'dark' ? '☾' : '☀'}
      </button>
      <button type="button" class="icon" title="Details (I)" aria-label="Details" onClick={run('details')}>
        ◨
      </button>
      <button type="button" class="icon" title="Keys (?)" aria-label="Keys" onClick={run('keys')}>
        ?
      </button>
    </header>
  );
}
