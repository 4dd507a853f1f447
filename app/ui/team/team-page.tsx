import { useCallback, useEffect, useState } from 'preact/hooks';
import { Logo } from '../logo.tsx';
import { sendFile } from './send-file.ts';
import { list, MOST_LISTED, remove, signOut } from './server.ts';
import type { Listing } from './server.ts';
import { SignIn } from './sign-in.tsx';
import { TraceList } from './trace-list.tsx';
import { messageOf } from '../../../shared/model/index.ts';

/** Signing in, or the list of traces with its search and uploads. */
export function TeamPage() {
  const [search, setSearch] = useState('');
  const [skip, setSkip] = useState(0);
  /** Null until this browser is known; undefined until the server answered. */
  const [listing, setListing] = useState<Listing | null | undefined>(undefined);
  const [message, setMessage] = useState(
    location.pathname.startsWith('/t/')
      ? 'The trace of this link is not on this server: it was never uploaded, was deleted, or has expired.'
      : '',
  );
  const [sent, setSent] = useState<number | null>(null);

  const load = useCallback(
    () => list(search, skip).then(setListing, (error: unknown) => setMessage(messageOf(error))),
    [search, skip],
  );
  useEffect(() => void load(), [load]);

  if (listing === undefined) return <p class="team-error">{message}</p>;
  if (listing === null) return <SignIn />;

  const act = (work: Promise<unknown>) => {
    setMessage('');
    work.then(load, (error: unknown) => setMessage(messageOf(error)));
  };
  const upload = (file: File | undefined) => {
    if (file === undefined || sent !== null) return;
    setSent(0);
    act(
      sendFile(file, setSent)
        .then((url) => location.assign(url))
        .finally(() => setSent(null)),
    );
  };
  const { traces, count, you, lake } = listing;
  return (
    <main
      class="team-page"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (you.role !== 'view') upload(event.dataTransfer?.files[0]);
      }}
    >
      <header>
        <Logo />
        <h1>Traces</h1>
        <input
          type="search"
          placeholder="Name, person or hash"
          aria-label="Search"
          onInput={(event) => {
            setSearch(event.currentTarget.value);
            setSkip(0);
          }}
        />
        {you.role !== 'view' && (
          <label class="team-upload">
            {sent === null ? 'Upload a trace…' : `Uploading ${Math.floor(sent * 100)} %`}
            <input
              type="file"
              class="team-file"
              disabled={sent !== null}
              onChange={(event) => upload(event.currentTarget.files?.[0])}
            />
          </label>
        )}
        {lake && <a href="/lake">Ask all traces…</a>}
        <span class="team-you">{you.name}</span>
        <button class="plain" onClick={() => act(signOut())}>
          Sign out
        </button>
      </header>
      {you.role !== 'view' && (
        <p class="team-hint">
          A recording holds names, paths, command lines and keys of whoever made it, and is uploaded as it is.
          To see what is inside and to give away less: <b>Export…</b> in Outrank's own window, which can send
          it here.
        </p>
      )}
      <p class="team-error" role="alert">
        {message}
      </p>
      {count === 0 ? (
        <p class="team-none">{search === '' ? 'No trace has been uploaded yet.' : 'No trace matches.'}</p>
      ) : (
        <TraceList
          traces={traces}
          onDelete={(trace) => {
            if (confirm(`Delete ${trace.name} for everybody?`)) act(remove(trace));
          }}
        />
      )}
      {count > MOST_LISTED && (
        <footer>
          <button disabled={skip === 0} onClick={() => setSkip(Math.max(0, skip - MOST_LISTED))}>
            Newer
          </button>
          <span>
            {skip + 1} to {skip + traces.length} of {count}
          </span>
          <button disabled={skip + MOST_LISTED >= count} onClick={() => setSkip(skip + MOST_LISTED)}>
            Older
          </button>
        </footer>
      )}
    </main>
  );
}
