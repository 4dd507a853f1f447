import { Facts } from '../facts.tsx';
import { useEffect, useRef, useState } from 'preact/hooks';
import { describeState, makeLink, type LinkState, type ReadLink } from '../../../shared/link/index.ts';
import { Logo } from '../logo.tsx';
import type { Session } from '../session.ts';
import { goHome, type Phase } from '../state.ts';
import { canFetch, FetchDialog } from './fetch-dialog.tsx';

interface WantedProps extends Extract<Phase, { kind: 'wanted' }> {
  readonly session: Session;
}

/** A link whose trace is not known on this machine: says which it is, and asks for its file, or whether to fetch it. */
export function Wanted({ session, name, link, message }: WantedProps) {
  const input = useRef<HTMLInputElement>(null);
  const [fetching, setFetching] = useState(false);
  const { trace, title, from } = link.state;
  const server = trace?.server;
  const several = trace?.files !== undefined;
  return (
    <main class="home">
      <div class="home-card wanted">
        <Logo />
        <h1 class="file-name">{title === '' ? name : title}</h1>
        <p class="lead">
          This link is of a trace that is not known on this machine. Choose{' '}
          {several ? `its ${trace.files.length} files` : 'the file'}
          {trace === null ? ', or fetch it.' : ': the name may differ, the content may not.'}
        </p>
        {message !== null && (
          <p class="message" role="alert">
            {message}
          </p>
        )}
        <Facts class="link-contents" facts={describeState(link.state)} />
        {from !== undefined && (
          <p class="hint">
            Anybody can make such a link. Nothing is asked of {new URL(from).host} before you press the
            button; it then learns that you opened the link.
          </p>
        )}
        <div class="buttons">
          <button type="button" class="primary" onClick={() => input.current?.click()}>
            Choose {several ? 'the files' : 'the file'}…
          </button>
          {trace !== null && canFetch(trace) && (
            <button type="button" onClick={() => setFetching(true)}>
              Download it…
            </button>
          )}
          {from !== undefined && <FromAddress session={session} link={link} address={from} />}
          {trace !== null && server !== undefined && (
            <OnServer state={link.state} id={trace.id} server={server} />
          )}
          <button type="button" onClick={goHome}>
            Back
          </button>
        </div>
        {fetching && trace !== null && server !== undefined && (
          <FetchDialog
            session={session}
            link={link}
            trace={trace}
            server={server}
            close={() => setFetching(false)}
          />
        )}
        <input
          ref={input}
          type="file"
          hidden
          multiple={several}
          aria-label="The trace of the link"
          onChange={({ currentTarget }) => void session.openFor(link, [...(currentTarget.files ?? [])])}
        />
      </div>
    </main>
  );
}

interface FromAddressProps {
  readonly session: Session;
  readonly link: ReadLink;
  /** Of the trace's file. A stranger may have named it: it is shown in full, and asked once the user agrees. */
  readonly address: string;
}

/** The way to a file that anybody may fetch: the page fetches it where it can, else the browser. */
function FromAddress({ session, link, address }: FromAddressProps) {
  if (session.door.fetchFile === undefined)
    return (
      <a href={address} target="_blank" rel="noopener noreferrer">
        Download it from {new URL(address).host}
      </a>
    );
  return (
    <button type="button" title={address} onClick={() => void session.fetchFile(link)}>
      Fetch it from {new URL(address).host}
    </button>
  );
}

interface OnServerProps {
  readonly state: LinkState;
  readonly id: string;
  /** The origin of the team server that the link names. */
  readonly server: string;
}

/** The same place on the team server that has the trace, in the browser. A stranger may have named it: it is shown in full. */
function OnServer({ state, id, server }: OnServerProps) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    makeLink(state, `${server}/t/${id}`).then(setAddress, () => setAddress(null));
  }, [state, id, server]);
  if (address === null) return null;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      See it on {server}
    </a>
  );
}
