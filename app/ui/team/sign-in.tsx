import { useState } from 'preact/hooks';
import { Logo } from '../logo.tsx';
import { signIn } from './server.ts';
import { messageOf } from '../../../shared/model/index.ts';

/** Asks for a token, then loads the page again: a link stays what it is, with what it says of the place in the trace. */
export function SignIn() {
  const [message, setMessage] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const token = new FormData(event.currentTarget as HTMLFormElement).get('token');
    signIn(typeof token === 'string' ? token : '').then(
      () => location.reload(),
      (error: unknown) => setMessage(messageOf(error)),
    );
  };
  return (
    <main class="home">
      <form class="home-card" onSubmit={submit}>
        <Logo />
        <h1>Outrank</h1>
        <p>This server shows traces to those who hold a token. Whoever runs it gives you yours.</p>
        <label class="team-token">
          Token
          <input name="token" type="password" autocomplete="current-password" required autofocus />
        </label>
        <button class="primary" type="submit">
          Sign in
        </button>
        <p class="team-error" role="alert">
          {message}
        </p>
      </form>
    </main>
  );
}
