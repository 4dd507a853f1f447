import { isReadable } from './servers.ts';

interface ServerFieldsProps {
  /** The server; null until there is one. */
  readonly origin: string | null;
  readonly token: string;
  readonly setToken: (token: string) => void;
  /** Whether the user agreed that others can read along, where they can. */
  readonly agreed: boolean;
  readonly setAgreed: (agreed: boolean) => void;
}

/** Whether a server may be asked: it is known, and where others can read along, the user agreed. */
export function mayAsk({ origin, agreed }: Pick<ServerFieldsProps, 'origin' | 'agreed'>): boolean {
  return origin !== null && (agreed || !isReadable(origin));
}

/** The token for a server, and a word where what is sent there is not encrypted. */
export function ServerFields({ origin, token, setToken, agreed, setAgreed }: ServerFieldsProps) {
  return (
    <>
      <label class="server-token">
        Token{' '}
        <input
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="if the server wants one"
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <p class="hint">The token goes to this server alone, and is forgotten with this window.</p>
      {origin !== null && isReadable(origin) && (
        <label class="server-warning">
          <input
            type="checkbox"
            checked={agreed}
            onChange={({ currentTarget }) => setAgreed(currentTarget.checked)}
          />{' '}
          The connection to {origin} is not encrypted: everybody on the way can read the trace and the token.
          Go on all the same.
        </label>
      )}
    </>
  );
}
