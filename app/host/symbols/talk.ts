/** What `outrank-symbols` is asked and answers, a JSON object on a line each. */
import * as v from 'valibot';
import type { WantedModule } from './wanted.ts';

const named = v.object({
  rva: v.number(),
  function: v.string(),
  file: v.optional(v.string()),
  line: v.optional(v.number()),
});

/** What `outrank-symbols` writes to stdout, a line each. */
const answer = v.intersect([
  v.object({ module: v.number() }),
  v.union([
    v.object({ symbols: v.array(named) }),
    v.object({ found: v.string() }),
    v.object({ missing: v.array(v.string()) }),
    v.object({
      download: v.object({ url: v.string(), bytes: v.number(), total_bytes: v.nullable(v.number()) }),
    }),
  ]),
]);

/** Something that `outrank-symbols` says of a module, by its index among those that were wanted. */
export type Answer = v.InferOutput<typeof answer>;

/** Has the functions of modules told. The numbers of the answers are those of `modules`, which have an identity. */
export type Symbolize = (modules: readonly WantedModule[]) => AsyncIterable<Answer>;

/** Reads a line that it answers. */
export function readAnswer(line: string): Answer {
  return v.parse(answer, JSON.parse(line));
}

/** The line by which it is asked for a module. */
export function requestLine({ pdb, guid, age, imageBytes, addresses }: WantedModule, module: number): string {
  const rvas = (returns: boolean) => [
    ...new Set(addresses.filter(({ isReturn }) => isReturn === returns).map(({ rva }) => rva)),
  ];
  return JSON.stringify({
    module,
    pdb,
    guid,
    age,
    image_bytes: imageBytes,
    rvas: rvas(false),
    returns: rvas(true),
  });
}
