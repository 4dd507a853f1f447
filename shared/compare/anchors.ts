import type { Query } from '../engine/index.ts';
import { readTime } from '../model/index.ts';
import { dataOf, numberAt, textAt } from '../tables/index.ts';
import { loadFocus, loadInputs } from '../threads/index.ts';

/**
 * What an anchor is: `key`: a key or a mouse button goes down; `process`: a process starts; `focus`: a process gets the focus;
 * `release`: waiting ends, the moment at which most of it ends being the first.
 */
export const ANCHOR_KINDS = ['key', 'process', 'focus', 'release'] as const;
export type AnchorKind = (typeof ANCHOR_KINDS)[number];

/** A moment of a trace that another recording of the same work has too. */
export interface Anchor {
  readonly kind: AnchorKind;
  /** The key, or the image of the process; empty for a release. */
  readonly name: string;
  /** In ns on the trace clock. */
  readonly ts: number;
}

/** A time that is told by an anchor which the trace does not have, or that is no time. */
export class AnchorError extends Error {
  override readonly name = 'AnchorError';
}

/** The anchors of a trace in the order of time, without releases. */
export async function loadAnchors(query: Query): Promise<Anchor[]> {
  const { tables } = dataOf(query);
  const anchors: Anchor[] = [];
  for (const { ts, kind, key_name } of await loadInputs(tables, { start: 0, end: Infinity }, false))
    if (kind === 'key_down' || kind === 'mouse_down')
      anchors.push({ kind: 'key', name: key_name ?? kind, ts });
  for await (const { rowCount, columns } of tables.batches('etw_process', ['name', 'create_ts']))
    for (let row = 0; row < rowCount; row++) {
      const [name, ts] = [textAt(columns.name, row), numberAt(columns.create_ts, row)];
      if (name !== null && ts !== null) anchors.push({ kind: 'process', name, ts });
    }
  for (const { ts, process, open_start } of await loadFocus(tables))
    if (process !== null && !open_start) anchors.push({ kind: 'focus', name: process, ts });
  return anchors.sort((a, b) => a.ts - b.ts);
}

/** By what an anchor is named: `key:3` is the third of all, `process:app.exe#2` the second start of that image. */
export function anchorText(anchors: readonly Anchor[], anchor: Anchor): string {
  const { kind, name } = anchor;
  const isByNumber = kind === 'key' || kind === 'release';
  const alike = anchors.filter((each) => each.kind === kind && (isByNumber || each.name === name));
  const nth = alike.indexOf(anchor) + 1;
  if (isByNumber) return `${kind}:${nth}`;
  return nth === 1 ? `${kind}:${name}` : `${kind}:${name}#${nth}`;
}

const FORM =
  /^(?<kind>key|process|focus|release):(?<what>.+?)(?:(?<sign>[+-])(?<offset>\d+(?:\.\d+)?(?:s|ms|us|ns)))?$/;

/** The kind of the anchor by which a text tells a time; null where it tells it without. */
export function anchorKind(text: string): AnchorKind | null {
  return (FORM.exec(text)?.groups?.kind as AnchorKind | undefined) ?? null;
}

/** Reads a time such as `key:3`, `process:app.exe#2-500ms` or `release:1+2s`, in ns on the trace clock; throws an {@link AnchorError}. */
export function readAnchored(text: string, anchors: readonly Anchor[]): number {
  const { kind, what = '', sign = '+', offset = '0s' } = FORM.exec(text)?.groups ?? {};
  if (kind === undefined) throw new AnchorError(`"${text}" is no anchor: one is key:3 or process:app.exe`);
  const anchor = nthOf(
    anchors.filter((each) => each.kind === kind),
    what.trim(),
  );
  if (anchor === undefined) throw new AnchorError(lacking(text, kind, anchors));
  const offset_ns = readTime(offset, 0) ?? 0;
  return anchor.ts + (sign === '-' ? -offset_ns : offset_ns);
}

function nthOf(anchors: readonly Anchor[], what: string): Anchor | undefined {
  if (/^\d+$/.test(what)) return anchors[Number(what) - 1];
  const [, name = '', nth = '1'] = /^(.*?)(?:#(\d+))?$/.exec(what) ?? [];
  const named = anchors.filter((each) => each.name.toLowerCase() === name.toLowerCase());
  return named[Number(nth) - 1];
}

const PLURALS: Readonly<Record<AnchorKind, string>> = {
  key: 'keys and buttons',
  process: 'starts of processes',
  focus: 'changes of focus',
  release: 'releases',
};

function lacking(text: string, kind: string, anchors: readonly Anchor[]): string {
  const of = anchors.filter((each) => each.kind === kind);
  const names = [...new Set(of.map(({ name }) => name).filter((name) => name !== ''))];
  const known = names.length === 0 ? '' : `, ${names.slice(0, 8).join(', ')}${names.length > 8 ? ' …' : ''}`;
  return `"${text}" is not in this trace; ${PLURALS[kind as AnchorKind]}: ${of.length}${known}`;
}
