import type { LakeExample } from '../../../shared/lake/index.ts';
import { exampleTitle } from '../lake/answer.tsx';
import { Questions } from '../lake/questions.tsx';
import type { Session } from '../session.ts';
import { goHome } from '../state.ts';
import { askForLake, connected, lakeAsked } from './connected.ts';

/** Questions to the lake that the window is connected to; a trace opens in the same window. */
export function WindowLake({ session }: { readonly session: Session }) {
  const { lakes } = session.door;
  const asked = lakeAsked.value;
  if (connected.value === null || asked === null || lakes === undefined) return null;
  const { server, lake } = connected.value;
  // `outrank lake show` keeps no traces: those of its lake lie on this machine.
  const keeper = lake.trace_address.startsWith('/t/') ? server : null;
  const lead = (example: LakeExample) => (
    <button
      type="button"
      class="plain lake-lead"
      onClick={() => void session.openExample(example.link, keeper)}
    >
      {exampleTitle(example)}
    </button>
  );
  return (
    <div class="lake-window">
      <Questions
        lake={lake}
        ask={(wanted, signal) => lakes.ask(server, wanted, signal)}
        asked={asked}
        change={(next) => (lakeAsked.value = next)}
        lead={lead}
      >
        <span class="lake-size">{server.origin}</span>
        <button type="button" onClick={() => askForLake('')}>
          Another lake…
        </button>
        <button type="button" title="Back to the start" onClick={goHome}>
          Start
        </button>
      </Questions>
    </div>
  );
}
