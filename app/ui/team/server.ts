import * as v from 'valibot';

const listing = v.object({
  traces: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      sizeBytes: v.number(),
      by: v.string(),
      uploadedAtMs: v.number(),
      expiresAtMs: v.nullable(v.number()),
      url: v.string(),
      deletable: v.boolean(),
    }),
  ),
  count: v.number(),
  you: v.object({ name: v.string(), role: v.picklist(['view', 'upload', 'admin']) }),
  /** Whether all traces can be asked as one, at `/lake`. */
  lake: v.boolean(),
});

/** A page of the list of traces, and who looks at it. */
export type Listing = v.InferOutput<typeof listing>;
/** A trace in the list. */
export type ListedTrace = Listing['traces'][number];

/** Traces that are listed at a time. */
export const MOST_LISTED = 50;

/** Asks the server; rejects with its own words if it refuses. */
export async function ask(path: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(path, init).catch(() => {
    throw new Error('The server does not answer. Is it still running?');
  });
  if (answer.ok) return answer;
  const text = (await answer.text()).trim();
  throw new Error(text === '' ? `The server refused (${answer.status}).` : text);
}

/** The traces that match; null if this browser has no token yet. */
export async function list(search: string, skip: number): Promise<Listing | null> {
  const fields = new URLSearchParams({ search, skip: String(skip), most: String(MOST_LISTED) });
  const answer = await fetch(`/api/traces?${fields.toString()}`);
  if (answer.status === 401) return null;
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return v.parse(listing, await answer.json());
}

/** Exchanges a token for a cookie. */
export async function signIn(token: string): Promise<void> {
  await ask('/sign-in', { method: 'POST', body: token });
}

export async function signOut(): Promise<void> {
  await ask('/sign-out', { method: 'POST' });
}

export async function remove({ id }: ListedTrace): Promise<void> {
  await ask(`/api/traces/${id}`, { method: 'DELETE' });
}
