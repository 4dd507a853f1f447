import { useRef } from 'preact/hooks';
import { describeState } from '../../../shared/link/index.ts';
import { Logo } from '../logo.tsx';
import type { Session } from '../session.ts';
import { goHome, type Phase } from '../state.ts';

interface WantedProps extends Extract<Phase, { kind: 'wanted' }> {
  readonly session: Session;
}

/** A link whose trace is not known on this machine: says which it is, and asks for its file. */
export function Wanted({ session, name, link, message }: WantedProps) {
  const input = useRef<HTMLInputElement>(null);
  const { trace, title } = link.state;
  const several = trace?.files !== undefined;
  return (
    <main class="home">
      <div class="home-card wanted">
        <Logo />
        <h1 class="file-name">{title === '' ? name : title}</h1>
        <p class="lead">
          This link is of a trace that is not known on this machine. Choose{' '}
          {several ? `its ${trace.files.length} files` : 'the file'}: the name may differ, the content may
          not.
        </p>
        {message !== null && (
          <p class="message" role="alert">
            {message}
          </p>
        )}
        <dl class="link-contents">
          {describeState(link.state).map(([what, text]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <div class="buttons">
          <button type="button" class="primary" onClick={() => input.current?.click()}>
            Choose {several ? 'the files' : 'the file'}…
          </button>
          <button type="button" onClick={goHome}>
            Back
          </button>
        </div>
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
