import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { keywordCompletionSource, sql } from '@codemirror/lang-sql';
import { bracketMatching, syntaxTree } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { Catalog } from './catalog.ts';
import { suggest, type Suggestion } from './complete.ts';
import { editorLook, perfettoSql } from './dialect.ts';

/** How an editor is made. */
export interface SqlEditorOptions {
  /** What a screen reader calls it. */
  readonly label: string;
  readonly text: string;
  readonly readOnly?: boolean;
  /** Called with the text after each change by the user. */
  onChange?(text: string): void;
  /** Called on Ctrl or Command and Enter. */
  onRun?(): void;
  /** Asked at each completion. */
  catalog?(): Catalog;
}

/** An editor that stands in the document. */
export interface SqlEditor {
  text(): string;
  /** Replaces the text; the change is no one's typing. */
  setText(text: string): void;
  /** Shows an error at a line and column (from 1), or, without a place, none in the text; null takes it away. */
  setError(
    error: { readonly message: string; readonly place: Place | null } | null,
    options?: {
      /** Whether the cursor moves there; it does unless this says no, as while the user types. */
      readonly goThere: boolean;
    },
  ): void;
  focus(): void;
  destroy(): void;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** Puts an editor of PerfettoSQL into `parent`. */
export function createSqlEditor(parent: HTMLElement, options: SqlEditorOptions): SqlEditor {
  let ours = false;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightActiveLine(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        sql({ dialect: perfettoSql, upperCaseKeywords: true }),
        autocompletion({
          override: [
            catalogSource(() => options.catalog?.() ?? []),
            keywordCompletionSource(perfettoSql, true),
          ],
          // Two screens of the list: each more costs style, layout and paint at every key; arrows bring the rest.
          maxRenderedOptions: 16,
          // What fits is looked up in memory: there is nothing to spare by waiting for more.
          activateOnTypingDelay: 0,
        }),
        Prec.highest(
          keymap.of([
            {
              key: 'Mod-Enter',
              run: () => {
                options.onRun?.();
                return true;
              },
            },
          ]),
        ),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': options.label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !ours) options.onChange?.(update.state.doc.toString());
        }),
        readOnly(options.readOnly ?? false),
        ...editorLook,
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    setText(text) {
      if (text === view.state.doc.toString()) return;
      ours = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      ours = false;
    },
    setError(error, { goThere } = { goThere: true }) {
      const at = error?.place ? offsetOf(view.state, error.place) : null;
      const shown =
        error === null || at === null
          ? []
          : [{ from: at, to: wordEnd(view.state, at), severity: 'error' as const, message: error.message }];
      view.dispatch(setDiagnostics(view.state, shown));
      if (at !== null && goThere) view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

function readOnly(value: boolean) {
  return [EditorState.readOnly.of(value), EditorView.editable.of(!value)];
}

/** The engine counts columns in characters; a place beyond the text is its end. */
function offsetOf({ doc }: EditorState, { line, column }: Place): number {
  if (line > doc.lines) return doc.length;
  const found = doc.line(Math.max(1, line));
  return Math.min(found.to, found.from + Math.max(0, column - 1));
}

function wordEnd({ doc }: EditorState, from: number): number {
  const [word = ''] = /^\w+|^./u.exec(doc.sliceString(from, doc.lineAt(from).to)) ?? [];
  return from + word.length;
}

function catalogSource(catalog: () => Catalog) {
  return (context: CompletionContext): CompletionResult | null => {
    const { state, pos, explicit } = context;
    if (/Comment|String/.test(syntaxTree(state).resolveInner(pos, -1).name)) return null;
    const found = suggest(catalog(), state.doc.toString(), pos);
    if (found === null || (!explicit && found.from === pos && state.sliceDoc(pos - 1, pos) !== '.'))
      return null;
    return { from: found.from, options: found.options.map(asCompletion), validFor: /^[\w.]*$/ };
  };
}

function asCompletion({ label, kind, detail, comment, boost }: Suggestion): Completion {
  const types = {
    table: 'class',
    view: 'class',
    function: 'function',
    column: 'property',
    module: 'namespace',
  };
  return {
    label,
    detail,
    boost,
    type: types[kind],
    ...(comment === '' ? {} : { info: () => textNode(comment) }),
  };
}

function textNode(text: string): Node {
  const element = document.createElement('div');
  element.textContent = text;
  return element;
}
