import { useEffect, useState } from 'preact/hooks';
import type { LakeExample, ServedLake } from '../../../shared/lake/index.ts';
import { messageOf } from '../../../shared/model/index.ts';
import { exampleTitle } from './answer.tsx';
import { readAsked, writeAsked, type Asked } from './asked.ts';
import { Questions } from './questions.tsx';
import { askAbout, askLake, SignInError } from './server.ts';

/** Questions to a lake, and what it answers, as a page of its own: its address says what is asked. */
export function LakePage() {
  const [lake, setLake] = useState<ServedLake | null>(null);
  const [message, setMessage] = useState('');
  useEffect(() => {
    askAbout().then(setLake, (error: unknown) => {
      // The page of the traces asks for the token.
      if (error instanceof SignInError) location.assign('/');
      else setMessage(messageOf(error));
    });
  }, []);
  if (lake === null)
    return (
      <p class="lake-error" role="alert">
        {message}
      </p>
    );
  return <OpenLake lake={lake} />;
}

function OpenLake({ lake }: { readonly lake: ServedLake }) {
  const first = lake.questions[0]?.id ?? '';
  const [asked, setAsked] = useState<Asked>(() => readAsked(location.hash, first));
  useEffect(() => {
    const follow = () => setAsked(readAsked(location.hash, first));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const change = (next: Asked) => {
    setAsked(next);
    history.pushState(null, '', writeAsked(next));
  };
  /** The page of the trace, in a tab of its own: what follows the `#` of the example's link says the place. */
  const lead = (example: LakeExample) => (
    <a
      href={lake.trace_address.replace('{id}', example.trace) + example.link.slice(example.link.indexOf('#'))}
      target="_blank"
      rel="noopener"
    >
      {exampleTitle(example)}
    </a>
  );
  return (
    <Questions lake={lake} ask={askLake} asked={asked} change={change} lead={lead}>
      {lake.trace_address.startsWith('/t/') && <a href="/">Traces</a>}
    </Questions>
  );
}
