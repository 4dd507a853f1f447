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
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
