import { useEffect, useRef, useState } from 'preact/hooks';
import type { RecentTrace } from '../host/api.ts';
import { formatBytes, messageOf } from '../../shared/model/index.ts';
import { askForLake, connected, showLake } from './lake-window/connected.ts';
import { KeptLinks } from './link/open-link-dialog.tsx';
import { Logo } from './logo.tsx';
import { RecentList } from './recent-list.tsx';
import type { Session } from './session.ts';

/** The names of files that are offered where one is chosen. */
export const ACCEPTED = '.etl,.zip,.gz,.diagsession,.cab,.pftrace,.outrank';

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
            <RecentList
              traces={recent.slice(0, 8)}
              choose={(trace) => void session.open(trace.path, trace)}
            />
          </section>
        )}
        {session.door.lakes !== undefined && <Lakes />}
        <KeptLinks session={session} open={(link) => void session.openLink(link)} />
        <Demo session={session} />
        <Rules session={session} />
        <Kept session={session} />
      </div>
      <p class="footnote">
        {session.door.statement ?? 'Traces stay on this machine until you send one.'} Ctrl Shift O opens a
        link. Press ? for the keys.
      </p>
    </main>
  );
}

/** The way to a lake: the one that the window is connected to, or another. */
function Lakes() {
  const lake = connected.value;
  return (
    <p class="hint">
      Many traces as one, as a team keeps them:{' '}
      {lake !== null && (
        <button type="button" onClick={showLake}>
          Back to the lake
        </button>
      )}{' '}
      <button type="button" onClick={() => askForLake('')}>
        Ask a lake…
      </button>
    </p>
  );
}

/** The way to the demo: a button where the page has it, else the command. */
function Demo({ session }: { readonly session: Session }) {
  const { door } = session;
  const story = 'a lock screen that waits 19 s for a CPU';
  if (door.demo === undefined)
    return (
      <p class="hint demo">
        No trace at hand? <code>outrank open demo</code> opens the demo, which <code>scripts/start</code>{' '}
        makes in a checkout: {story}.
      </p>
    );
  const open = async () => {
    const demo = await door.demo?.();
    if (demo !== undefined) await session.openFile(demo);
  };
  return (
    <p class="hint demo">
      No trace at hand? Look at the demo: {story}.{' '}
      <button type="button" onClick={() => void open()}>
        Open the demo
      </button>
    </p>
  );
}

/** The user's rules, where the browser keeps them, and the way to add one. */
function Rules({ session }: { readonly session: Session }) {
  const { rules } = session.door;
  const [names, setNames] = useState(rules?.list() ?? []);
  const [wrong, setWrong] = useState<string | null>(null);
  if (rules === undefined) return null;
  const add = (list: FileList | null): void => {
    rules.add([...(list ?? [])]).then(
      () => {
        setWrong(null);
        setNames(rules.list());
      },
      (error: unknown) => setWrong(messageOf(error)),
    );
  };
  const choose = (): void => {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.accept = '.sql';
    input.onchange = () => add(input.files);
    input.click();
  };
  return (
    <p class="hint">
      {names.length === 0 ? 'Rules of your own look for what you know. ' : 'Rules of your own: '}
      {names.map((name) => (
        <button
          key={name}
          type="button"
          title={`Remove ${name}`}
          onClick={() => {
            rules.remove(name);
            setNames(rules.list());
          }}
        >
          {name} ×
        </button>
      ))}{' '}
      <button type="button" onClick={choose}>
        Add rules…
      </button>
      {wrong !== null && <span role="alert"> {wrong}</span>}
    </p>
  );
}

/** What the browser keeps, and the button that empties it. */
function Kept({ session }: { readonly session: Session }) {
  const { kept } = session.door;
  const [bytes, setBytes] = useState(kept?.usedBytes() ?? 0);
  if (kept === undefined || bytes === 0) return null;
  const empty = async () => {
    await kept.empty();
    setBytes(kept.usedBytes());
  };
  return (
    <p class="hint">
      This browser keeps {formatBytes(bytes)} of converted traces.{' '}
      <button type="button" onClick={() => void empty()}>
        Delete them
      </button>
    </p>
  );
}
