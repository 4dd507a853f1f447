import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { SQLDialect, SQLite } from '@codemirror/lang-sql';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** PerfettoSQL: SQLite and the words that Perfetto adds. */
export const perfettoSql = SQLDialect.define({
  ...SQLite.spec,
  keywords: `${SQLite.spec.keywords ?? ''} include perfetto module macro function returns delegates span_join`,
  types: `${SQLite.spec.types ?? ''} bool bytes double float int long string table expr columnname timestamp duration`,
});

/** The editor's colours, from the tokens of the page's styles. */
export const editorLook = [
  EditorView.theme({
    '&': {
      height: '100%',
      backgroundColor: 'var(--surface)',
      color: 'var(--text)',
      fontSize: 'var(--text-m)',
    },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
    '.cm-content': { caretColor: 'var(--accent)' },
    '.cm-cursor': { borderLeftColor: 'var(--accent)' },
    '.cm-gutters': {
      backgroundColor: 'var(--surface)',
      color: 'var(--muted)',
      borderRight: '1px solid var(--line)',
    },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
    '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--accent-soft) !important',
    },
    '.cm-tooltip': {
      border: '1px solid var(--line-strong)',
      borderRadius: 'var(--radius)',
      backgroundColor: 'var(--raised)',
      color: 'var(--text)',
      boxShadow: 'var(--shadow)',
      fontSize: 'var(--text-s)',
    },
    '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      backgroundColor: 'var(--accent-soft)',
      color: 'var(--text)',
    },
    '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
    '.cm-completionMatchedText': { color: 'var(--accent)', textDecoration: 'none', fontWeight: '700' },
    '.cm-completionInfo': { maxWidth: '420px', padding: '8px 10px', whiteSpace: 'pre-line' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
      { tag: [tags.string, tags.special(tags.string)], color: 'var(--warn)' },
      { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
      { tag: [tags.lineComment, tags.blockComment], color: 'var(--muted)', fontStyle: 'italic' },
      { tag: tags.typeName, color: 'var(--accent)' },
    ]),
  ),
];
