import { Facts } from '../facts.tsx';
import { useState } from 'preact/hooks';
import { formatBytes } from '../../../shared/model/index.ts';
import type { LinkedTrace, ReadLink } from '../../../shared/link/index.ts';
import { Dialog } from '../dialog.tsx';
import type { Session } from '../session.ts';
import { mayAsk, ServerFields } from './server-fields.tsx';
import { asUser, tokenOf } from './servers.ts';

interface FetchDialogProps {
  readonly session: Session;
  readonly link: ReadLink;
  readonly trace: LinkedTrace;
  /** The origin of the server that the link names. */
  readonly server: string;
  readonly close: () => void;
}

/** Whether a server can have the trace of a link as one file, under the id that the link says. */
export function canFetch({ part, files, server }: LinkedTrace): boolean {
  return server !== undefined && part === undefined && files === undefined;
}

/** Asks before a trace is fetched from the server that a link names: a stranger may have named it. */
export function FetchDialog({ session, link, trace, server, close }: FetchDialogProps) {
  const [token, setToken] = useState(tokenOf(server));
  const [agreed, setAgreed] = useState(false);
  const facts = [
    ['Server', server],
    ['File', trace.name === '' ? 'the link says no name' : trace.name],
    ['Size', trace.sizeBytes === null ? 'the link says none' : formatBytes(trace.sizeBytes)],
    ['SHA-256', trace.id],
  ] as const;
  return (
    <Dialog kind="link-dialog" label="Download the trace" close={close}>
      <p class="hint">
        The link names this server as one that has its trace. It learns that you opened the link. What it
        sends is opened only if its SHA-256 is the link's.
      </p>
      <Facts class="link-contents" facts={facts} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          close();
          void session.fetchFor(link, asUser(server, token, agreed));
        }}
      >
        <ServerFields
          origin={server}
          token={token}
          setToken={setToken}
          agreed={agreed}
          setAgreed={setAgreed}
        />
        <button type="submit" class="primary" disabled={!mayAsk({ origin: server, agreed })}>
          Download
        </button>
      </form>
      <p class="hint">
        It is kept in the folder <code>fetched</code> of Outrank's cache, at most 16 GiB of such traces;{' '}
        <code>outrank link fetched --clear</code> removes them.
      </p>
    </Dialog>
  );
}
