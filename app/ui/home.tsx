import { useEffect, useRef, useState } from 'preact/hooks';
import type { RecentTrace } from '../host/api.ts';
import { formatBytes } from '../../shared/model/index.ts';
import { formatWhen, KeptLinks } from './link/open-link-dialog.tsx';
import { Logo } from './logo.tsx';
import type { Session } from './session.ts';

const ACCEPTED = '.etl,.zip,.gz,.diagsession,.cab,.pftrace,.outrank';

/** The page before a trace is open. */
export function Home({ session }: { readonly session: Session }) {
  const [recent, setRecent] = useState<readonly RecentTrace[]>([]);
  const file = useRef<HTMLInputElement>(null);
  useEffect(() => {
    session.door.host.recent().then(setRecent, () => setRecent([]));
  }, [session]);
  const choose = async () => {
    if (!(await session.chooseFile())) file.current?.click();
  };
  return (
    <main class="home">
      <div class="home-card">
        <Logo />
        <h1>Outrank</h1>
        <p class="lead">See who was ready, who ran, and why. Windows performance traces, on any system.</p>
        <button type="button" class="primary" onClick={() => void choose()}>
          Open a trace…
        </button>
        <p class="hint">
          or drop an <b>.etl</b>, <b>.zip</b>, <b>.gz</b>, <b>.diagsession</b>, <b>.cab</b>, <b>.pftrace</b>{' '}
          or <b>.outrank</b> file anywhere
        </p>
        <input
          ref={file}
          type="file"
          hidden
          accept={ACCEPTED}
          onChange={({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? [];
            if (chosen !== undefined) void session.openFile(chosen);
          }}
        />
        {recent.length > 0 && (
          <section class="recent">
            <h2>Recent</h2>
            <ul>
              {recent.slice(0, 8).map((trace) => (
                <li key={trace.id}>
                  <button
                    type="button"
                    title={trace.path}
                    onClick={() => void session.open(trace.path, trace)}
                  >
                    <span class="name">{trace.name}</span>
                    <span class="meta">{formatBytes(trace.sizeBytes)}</span>
                    <span class="meta">{formatWhen(trace.openedAtMs)}</span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
        <KeptLinks session={session} open={(link) => void session.openLink(link)} />
        <p class="hint demo">
          No trace at hand? <code>scripts/start</code> makes and opens the demo: a lock screen that waits 19 s
          for a CPU.
        </p>
      </div>
      <p class="footnote">
        Traces stay on this machine until you send one. Ctrl Shift O opens a link. Press ? for the keys.
      </p>
    </main>
  );
}
