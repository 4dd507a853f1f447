import type { Door } from '../ui/door.ts';
import { KeptTraces } from './kept-traces.ts';
import { WebHost } from './web-host.ts';
import demoUrl from '../../vendor/demo/lock-screen.etl.gz?url';

/** What the demo is called. */
const DEMO_NAME = 'lock-screen.etl.gz';

/** The door of a page that no server stands behind: host, converter and engine are in the page. */
export function openWebDoor(): Door {
  const kept = new KeptTraces(localStorage);
  const host = new WebHost(kept);
  return {
    host,
    initial: { path: null },
    statement:
      'Nothing leaves this page: its policy lets it connect to its own files alone, and to a file that you agree to fetch.',
    linkAddress: location.origin + location.pathname,
    fetchFile: (wanted, options) => host.fetchFile(wanted, options),
    pathOfFile: (file) => host.take(file),
    takeSymbols: (files) => host.symbols.take(files),
    saveAs: (name) => Promise.resolve(host.saveAs(name)),
    async demo() {
      const answer = await fetch(demoUrl);
      if (!answer.ok) throw new Error(`The demo cannot be had (${answer.status}).`);
      return new File([await answer.blob()], DEMO_NAME);
    },
    rules: {
      list: () => host.userFiles.rules(),
      add: (files) => host.userFiles.addRules(files),
      remove: (name) => host.userFiles.removeRule(name),
    },
    kept: {
      usedBytes: () => kept.usedBytes(),
      empty: () => host.empty(),
    },
  };
}
