'use client';

import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { EditorState, Transaction } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { FieldSchema } from '#lib/installation/in-browser.ts';
import { completionAt } from './completion.ts';
import { editorTheme, highlightStyle } from './editor-look.ts';

export type YamlEditorProps = {
  readonly text: string;
  readonly label: string;
  readonly describedBy: string;
  readonly schema: FieldSchema | null;
  diagnose(text: string): Diagnostic[];
  onChange(text: string): void;
  /** Moves the cursor there whenever it changes. */
  readonly reveal: { readonly from: number; readonly to: number } | null;
};

/** A CodeMirror editor. Tab indents; after Escape, Tab leaves the editor, without a time limit (WCAG 2.2, 2.1.2 and 2.2.1). */
export function YamlEditor(props: YamlEditorProps) {
  const { text, label, describedBy, diagnose, reveal } = props;
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    const parent = box.current;
    if (parent === null) return;
    const view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          // The Content-Security-Policy allows only styles with the page's nonce, which its scripts have.
          EditorView.cspNonce.of(document.querySelector<HTMLElement>('script[nonce]')?.nonce ?? ''),
          lineNumbers(),
          lintGutter(),
          history(),
          yaml(),
          syntaxHighlighting(highlightStyle),
          indentUnit.of('  '),
          autocompletion({ override: [(context) => completions(context, latest.current.schema)] }),
          linter((linted) => latest.current.diagnose(linted.state.doc.toString()), { delay: 250 }),
          keymap.of([...completionKeymap, ...lintKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorView.contentAttributes.of({
            'aria-label': label,
            'aria-describedby': describedBy,
            spellcheck: 'false',
          }),
          EditorView.domEventObservers({ keydown: leave }),
          EditorView.domEventHandlers({ beforeinput: replaceSelection, focus: stay }),
          EditorView.updateListener.of(({ docChanged, state, transactions, view: changed }) => {
            if (!docChanged || transactions.some((one) => one.annotation(Transaction.remote))) return;
            stay({}, changed);
            latest.current.onChange(state.doc.toString());
          }),
          editorTheme,
        ],
      }),
    });
    editor.current = view;
    return () => view.destroy();
  }, [label, describedBy]);

  useEffect(() => {
    const view = editor.current;
    const now = view?.state.doc.toString();
    if (!view || now === text) return;
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: text },
      // The initial text cannot be undone; changes by the form can.
      annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(now !== '')],
    });
  }, [text]);

  // Validates again when the release's schema has been loaded.
  useEffect(() => {
    if (editor.current && latest.current.diagnose === diagnose) forceLinting(editor.current);
  }, [diagnose]);

  useEffect(() => {
    const view = editor.current;
    if (!view || reveal === null) return;
    const most = view.state.doc.length;
    const selection = { anchor: Math.min(reveal.from, most), head: Math.min(reveal.to, most) };
    view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: 'center' }) });
    view.focus();
  }, [reveal]);

  return <div ref={box} />;
}

/** Handles every Escape, also one that closes the completion. */
function leave(event: KeyboardEvent, view: EditorView): void {
  if (event.key === 'Escape') view.setTabFocusMode(true);
}

function stay(_event: unknown, view: EditorView): boolean {
  view.setTabFocusMode(false);
  return false;
}

/**
 * Inserts text that is typed over a selection. The browser would copy the replaced text's look into an inline style, which the Content-Security-Policy refuses.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  if (event.inputType !== 'insertText' || event.data === null || view.composing || view.state.selection.main.empty)
    return false;
  event.preventDefault();
  view.dispatch({ ...view.state.replaceSelection(event.data), userEvent: 'input.type', scrollIntoView: true });
  return true;
}

function completions(context: CompletionContext, schema: FieldSchema | null): CompletionResult | null {
  const found = schema === null ? null : completionAt(context.state.doc.toString(), context.pos, schema);
  if (found === null || (found.from === context.pos && !context.explicit)) return null;
  return {
    from: found.from,
    options: found.options.map(({ label, detail, about, insert }) => ({
      label,
      apply: insert,
      ...(detail === '' ? {} : { detail }),
      ...(about === '' ? {} : { info: about }),
    })),
    validFor: /^[\w./-]*$/,
  };
}
