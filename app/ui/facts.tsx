/** A text of more characters is long: a narrow list shows it below its name. */
const LONG = 60;

/** Names and what is said of each. */
export function Facts({
  facts,
  class: className,
}: {
  readonly facts: Iterable<readonly [name: string, text: string]>;
  readonly class?: string;
}) {
  return (
    <dl class={className}>
      {[...facts].map(([name, text]) => (
        <div key={name} class={text.length > LONG ? 'long' : undefined}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
