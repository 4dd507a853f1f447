import { useEffect, useRef, useState } from 'preact/hooks';
import type { RecentTrace } from '../../host/api.ts';
import { ACCEPTED } from '../home.tsx';
import { RecentList } from '../recent-list.tsx';
import type { Session } from '../session.ts';
import { loaded } from '../state.ts';

interface ChooseOtherProps {
  readonly session: Session;
  /** Takes what was chosen, each a file or a trace that was opened before: one, or several where `isMany`. */
  readonly choose: (...what: readonly (File | RecentTrace)[]) => void;
  readonly isMany?: boolean;
  /** What the field for files is called. */
  readonly label?: string;
  /** By id alone, as where a link names the trace: no others are offered. */
  readonly isNamed?: boolean;
}

/** Lets the user choose the trace to compare with. */
export function ChooseOther({
  session,
  choose,
  isNamed = false,
  isMany = false,
  label = 'The trace to compare with',
}: ChooseOtherProps) {
  const [recent, setRecent] = useState<readonly RecentTrace[]>([]);
  const file = useRef<HTMLInputElement>(null);
  useEffect(() => {
    session.door.host.recent().then(setRecent, () => setRecent([]));
  }, [session]);
  const ask = async () => {
    if (isMany || session.door.openDialog === undefined) {
      file.current?.click();
      return;
    }
    const path = await session.door.openDialog();
    if (path !== null) choose(tracePath(path));
  };
  const others = isNamed ? [] : recent.filter(({ id }) => id !== loaded.value?.opened.id);
  return (
    <section class="compare-choose">
      <button type="button" class="primary" onClick={() => void ask()}>
        Choose a file…
      </button>
      <input
        ref={file}
        type="file"
        hidden
        accept={ACCEPTED}
        multiple={isMany}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const chosen = [...(currentTarget.files ?? [])];
          if (chosen.length > 0) choose(...chosen);
        }}
      />
      {session.door.openDialog !== undefined && (
        <form
          class="compare-path"
          onSubmit={(event) => {
            event.preventDefault();
            const path = new FormData(event.currentTarget).get('path');
            const bare = typeof path === 'string' ? withoutQuotes(path) : '';
            if (bare !== '') choose(tracePath(bare));
          }}
        >
          <input
            name="path"
            aria-label={`${label}, by its path`}
            placeholder="or its path"
            spellcheck={false}
          />
          <button type="submit">Open</button>
        </form>
      )}
      {others.length > 0 && (
        <div class="recent">
          <h3>Opened before</h3>
          <RecentList traces={others.slice(0, 12)} choose={(trace) => choose(trace)} />
        </div>
      )}
    </section>
  );
}

/** A path as it was pasted: Windows copies it within quotes. */
function withoutQuotes(path: string): string {
  return path.trim().replace(/^"(.*)"$/, '$1');
}

/** A path that the user gave, as far as it has to be known to open it. */
function tracePath(path: string): RecentTrace {
  return { id: '', name: path.split(/[\\/]/).at(-1) ?? path, path, sizeBytes: 0, openedAtMs: 0 };
}
