import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Emphasises names and dims comments; only errors have a colour. The variables follow the light or dark theme. */
export const highlightStyle = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), fontWeight: '600', color: 'var(--ink)' },
  { tag: [tags.comment, tags.meta, tags.punctuation, tags.separator], color: 'var(--ink-3)' },
]);

export const editorTheme = EditorView.theme({
  '&': {
    color: 'var(--ink-2)',
    backgroundColor: 'var(--sheet)',
    border: '1px solid var(--edge)',
    borderRadius: '6px',
    maxHeight: '36rem',
  },
  '&.cm-focused': { outline: '2px solid var(--blue)', outlineOffset: '2px' },
  '.cm-scroller': { font: '12.5px / 20px var(--font-mono)', overflow: 'auto', fontVariantLigatures: 'none' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--ink)' },
  '.cm-gutters': {
    backgroundColor: 'var(--sunk)',
    color: 'var(--ink-3)',
    border: '0',
    borderRight: '1px solid var(--line)',
  },
  '.cm-gutter-lint': { width: '1.1em' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0 0.15em' },
  '.cm-lintPoint:after': { borderBottomColor: 'var(--red)' },
  // CodeMirror's own markers are images in the style sheet, which the page's Content-Security-Policy refuses.
  '.cm-lint-marker': { content: 'normal', width: '8px', height: '8px', margin: '6px 0', borderRadius: '50%' },
  '.cm-lint-marker-error': { content: 'normal', backgroundColor: 'var(--red)' },
  '.cm-lint-marker-warning': { content: 'normal', backgroundColor: 'var(--amber)' },
  '.cm-lintRange-error, .cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--red)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--amber)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--sheet)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: 'var(--shadow)',
    maxWidth: 'min(32rem, 90vw)',
  },
  '.cm-diagnostic': { padding: '6px 10px', borderLeft: '3px solid var(--red)', fontFamily: 'var(--font-sans)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--amber)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '16rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--blue)',
    color: 'var(--on-blue)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.8' },
  '.cm-tooltip.cm-completionInfo': { padding: '6px 10px', fontFamily: 'var(--font-sans)' },
});
