import { KERNEL_FLAGS, type KernelFlag } from './kernel-flags.ts';
import type { Recipe, Signal } from './signal.ts';
import { SIGNALS } from './signals.ts';
import { keywordText } from './words.ts';

/** What a recording of everything switches on; what fills buffers fast is left out. */
export interface Everything {
  readonly flags: readonly KernelFlag[];
  readonly stacks: readonly { readonly xperf: string; readonly wpr: string }[];
  readonly providers: readonly { readonly name: string; readonly keyword: bigint }[];
}

/** What records every signal that is not heavy. */
export function everything(): Everything {
  const signals: readonly Signal[] = SIGNALS;
  const recipes: readonly Recipe[] = signals
    .filter(({ is_heavy }) => is_heavy !== true)
    .map(({ recipe }) => recipe);
  const flags = new Set(recipes.flatMap((recipe) => ('flags' in recipe ? recipe.flags : [])));
  const stacks = new Map(
    recipes
      .flatMap((recipe) => ('flags' in recipe ? (recipe.stacks ?? []) : []))
      .map((stack) => [stack.xperf, stack]),
  );
  const keywords = new Map<string, bigint>();
  for (const recipe of recipes) {
    if (!('provider' in recipe)) continue;
    keywords.set(recipe.provider, (keywords.get(recipe.provider) ?? 0n) | (recipe.keyword ?? 0n));
  }
  return {
    flags: KERNEL_FLAGS.filter(({ flag }) => flags.has(flag)),
    stacks: [...stacks.values()],
    providers: [...keywords].map(([name, keyword]) => ({ name, keyword })),
  };
}

/** Commands for a console with the rights of an administrator: they start, stop and merge a recording of everything with xperf. */
export function xperfCommands(): readonly string[] {
  const { flags, stacks, providers } = everything();
  const kernel = flags.map(({ flag }) => flag).join('+');
  const walked = stacks.map(({ xperf }) => xperf).join('+');
  const user = providers.map(({ name, keyword }) => `${name}:${keywordText(keyword)}`).join('+');
  return [
    `xperf -on ${kernel} -stackwalk ${walked} -BufferSize 1024 -MinBuffers 256 -MaxBuffers 1024 -f kernel.etl`,
    `xperf -start Outrank -on ${user} -BufferSize 1024 -MinBuffers 64 -MaxBuffers 256 -f user.etl`,
    `xperf -capturestate Outrank ${user}`,
    'rem … what is to be recorded happens …',
    'xperf -stop Outrank',
    'xperf -stop',
    'xperf -merge kernel.etl user.etl trace.etl',
  ];
}

/**
 * A profile for WPR that records everything. Its form: WPRControlProfiles.xsd, by which collectors stand before providers, and these
 * before profiles.
 */
export function wprProfile(): string {
  const { flags, stacks, providers } = everything();
  const list = (tag: string, values: readonly string[]) =>
    values.map((value) => `        <${tag} Value="${value}"/>`).join('\n');
  const keywords = flags.flatMap(({ wpr_keyword }) => wpr_keyword ?? []);
  const eventProviders = providers.map(
    ({ name, keyword }) => `    <EventProvider Id="${idOf(name)}" Name="${name}" NonPagedMemory="true">
      <Keywords>
${list('Keyword', [keywordText(keyword)])}
      </Keywords>
    </EventProvider>`,
  );
  const references = providers.map(({ name }) => `            <EventProviderId Value="${idOf(name)}"/>`);
  return `<?xml version="1.0" encoding="utf-8"?>
<!-- Made from shared/recording by scripts/recording-docs.mjs: change that. -->
<WindowsPerformanceRecorder Version="1.0" Author="Outrank">
  <Profiles>
    <SystemCollector Id="OutrankKernel" Name="NT Kernel Logger">
      <BufferSize Value="1024"/>
      <Buffers Value="512"/>
    </SystemCollector>
    <EventCollector Id="OutrankEvents" Name="Outrank">
      <BufferSize Value="1024"/>
      <Buffers Value="128"/>
    </EventCollector>
    <SystemProvider Id="OutrankSystem">
      <Keywords>
${list('Keyword', keywords)}
      </Keywords>
      <Stacks>
${list(
  'Stack',
  stacks.map(({ wpr }) => wpr),
)}
      </Stacks>
    </SystemProvider>
${eventProviders.join('\n')}
    <Profile Id="Outrank.Verbose.File" Name="Outrank" Description="Everything that Outrank shows" DetailLevel="Verbose" LoggingMode="File">
      <Collectors>
        <SystemCollectorId Value="OutrankKernel">
          <SystemProviderId Value="OutrankSystem"/>
        </SystemCollectorId>
        <EventCollectorId Value="OutrankEvents">
          <EventProviders>
${references.join('\n')}
          </EventProviders>
        </EventCollectorId>
      </Collectors>
    </Profile>
    <Profile Id="Outrank.Verbose.Memory" Base="Outrank.Verbose.File" Name="Outrank" Description="Everything that Outrank shows" DetailLevel="Verbose" LoggingMode="Memory"/>
  </Profiles>
</WindowsPerformanceRecorder>
`;
}

/** An id that the schema allows: it has no blanks and colons. */
function idOf(provider: string): string {
  return `Provider-${provider}`;
}
