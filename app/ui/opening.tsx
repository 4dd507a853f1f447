import { useEffect, useState } from 'preact/hooks';
import type { OpenError } from '../host/api.ts';
import { Logo } from './logo.tsx';
import { goHome, type Phase } from './state.ts';

/** In the order in which they come; where a file has to come from elsewhere, that is the first. */
const STAGES = ['download', 'upload', 'hash', 'convert', 'load'] as const;
/** What each stage is called. */
export const STAGE_TITLES: Readonly<Record<(typeof STAGES)[number], string>> = {
  download: 'Downloading the trace',
  upload: 'Copying the file',
  hash: 'Reading the file',
  convert: 'Converting events',
  load: 'Loading into the engine',
};

/** How far the opening of a trace is: stage, percent, time, and a way out. */
export function Opening({ name, progress, startedAtMs, cancel }: Extract<Phase, { kind: 'opening' }>) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, []);
  const stage = progress?.stage ?? 'hash';
  const fraction = progress?.fraction ?? null;
  const percent = fraction === null ? null : Math.floor(fraction * 100);
  return (
    <main class="home">
      <div class="home-card opening" role="status">
        <Logo />
        <h1 class="file-name">{name}</h1>
        <p class="stage">
          <span>{STAGE_TITLES[stage]}</span>
          <span class="percent">{percent === null ? '' : `${percent} %`}</span>
        </p>
        <progress
          max={1}
          {...(fraction === null ? {} : { value: fraction })}
          aria-label={STAGE_TITLES[stage]}
        />
        <ol class="stages" aria-hidden="true">
          {STAGES.filter((each) => STAGES.indexOf(each) >= 2 || each === stage).map((each) => (
            <li key={each} class={stageClass(each, stage)} />
          ))}
        </ol>
        <p class="stage">
          <span class="hint">{((now - startedAtMs) / 1000).toFixed(1)} s</span>
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        </p>
      </div>
    </main>
  );
}

function stageClass(each: (typeof STAGES)[number], now: (typeof STAGES)[number]): string {
  const [place, reached] = [STAGES.indexOf(each), STAGES.indexOf(now)];
  if (place < reached) return 'done';
  return place === reached ? 'now' : '';
}

/** What to do next, where trying again is not all. */
const NEXT_STEPS: Partial<Record<OpenError['kind'], string>> = {
  not_a_trace:
    'Outrank opens .etl files (also in .zip, .gz, .diagsession and .cab), .pftrace and .outrank. A file that was cut short, as by a copy that did not finish, has to be copied again.',
  file: 'See that the file is still there and that you may read it, or go back and open another.',
};

/** Why something could not be opened, in one message that can be copied, and what to do next. */
export function Failure({ name, message, reason, retry }: Extract<Phase, { kind: 'failed' }>) {
  const [copied, setCopied] = useState(false);
  const nextStep = reason === undefined ? undefined : NEXT_STEPS[reason];
  const copy = () => void navigator.clipboard.writeText(message).then(() => setCopied(true));
  return (
    <main class="home">
      <div class="home-card failure" role="alert">
        <Logo />
        <h1 class="file-name">{name}</h1>
        <p class="message">{message}</p>
        {nextStep !== undefined && <p class="hint">{nextStep}</p>}
        <div class="buttons">
          <button type="button" class="primary" onClick={retry}>
            Try again
          </button>
          <button type="button" onClick={copy}>
            {copied ? 'Copied' : 'Copy message'}
          </button>
          <button type="button" onClick={goHome}>
            Back
          </button>
        </div>
      </div>
    </main>
  );
}
