import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../dialog.tsx';
import { LONGEST_LINK } from '../../../shared/link/index.ts';
import type { KeptLink } from '../../host/api.ts';
import type { Session } from '../session.ts';

export const openLinkShown = signal(false);

/** Takes a link that is pasted, or one that was made or opened before. */
export function OpenLinkDialog({ session }: { readonly session: Session }) {
  const [text, setText] = useState('');
  const close = () => (openLinkShown.value = false);
  const open = (link: string) => {
    close();
    void session.openLink(link);
  };
  return (
    <Dialog kind="link-dialog" label="Open a link" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          open(text);
        }}
      >
        <input
          type="text"
          autofocus
          aria-label="Link"
          maxLength={LONGEST_LINK}
          placeholder="outrank://open#…"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={text.trim() === ''}>
          Open
        </button>
      </form>
      <KeptLinks session={session} open={open} />
    </Dialog>
  );
}

/** The links that were made or opened on this machine; nothing while there are none. */
export function KeptLinks({
  session,
  open,
}: {
  readonly session: Session;
  readonly open: (link: string) => void;
}) {
  const [links, setLinks] = useState<readonly KeptLink[]>([]);
  useEffect(() => {
    session.door.host.links().then(setLinks, () => setLinks([]));
  }, [session]);
  if (links.length === 0) return null;
  return (
    <section class="recent">
      <h2>Links</h2>
      <ul>
        {links.slice(0, 8).map(({ link, title, name, usedAtMs }) => (
          <li key={link}>
            <button type="button" title={link.slice(0, 200)} onClick={() => open(link)}>
              <span class="name">{title === '' ? name : title}</span>
              <span class="meta">{title === '' ? '' : name}</span>
              <span class="meta">{formatWhen(usedAtMs)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** When something was used last, by the user's own calendar, to the minute. */
export function formatWhen(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
