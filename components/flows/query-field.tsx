'use client';

import { useId, useMemo, useRef, useState } from 'react';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { useSlash } from '#components/ui/filter/use-slash.ts';
import {
  type Completion,
  completed,
  completionsAt,
  type Flow,
  hintsOf,
  mergedHints,
  parseQuery,
  type QueryHints,
  queryText,
} from '#lib/flows/in-browser.ts';
import { useAnswer } from './use-answer.ts';

/**
 * The field for the query, with completion from the page's flows, the history and the aggregator for the query's time. Arrows choose, Tab or Enter accepts, Escape
 * closes the list and then empties the field. `/` focuses it from anywhere on the page. Without script it is sent to the server as `q`.
 */
export function QueryField({
  url,
  text,
  onText,
  flows,
}: {
  /** Of the cluster's flows. */
  url: string;
  text: string;
  onText: (text: string) => void;
  flows: readonly Flow[];
}) {
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  /** Position of the cursor; null: no completion. */
  const [caret, setCaret] = useState<number | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const isOpen = caret !== null;
  useSlash(input);
  const ref = useTakeOver(input);
  // Requested with the first typed word, and again if the query's time changes.
  const time = queryText({ ...parseQuery(text).query, terms: [] });
  const [askedFor, setAskedFor] = useState<string | null>(null);
  if (isOpen && askedFor !== time) setAskedFor(time);
  const known = useAnswer(askedFor === null ? null : `${url}/hints?q=${encodeURIComponent(askedFor)}`, null, isHints);
  // Counted while the user types, not with each new flow.
  const hints = useMemo(
    () => (isOpen ? mergedHints(hintsOf(flows), known.read?.hints ?? {}) : {}),
    [isOpen, flows, known.read],
  );
  const found = caret === null ? null : completionsAt(text, caret, hints);
  const offers = found?.offers ?? [];
  const close = () => {
    setCaret(null);
    setChosen(null);
  };
  const take = (offer: Completion) => {
    if (!found) return;
    const next = completed(text, found, offer);
    onText(next.text);
    setChosen(null);
    setCaret(offer.isWhole ? null : next.caret);
    requestAnimationFrame(() => input.current?.setSelectionRange(next.caret, next.caret));
  };
  const onKey = (key: string): boolean => {
    const last = offers.length - 1;
    const offer = offers[chosen ?? 0];
    if (key === 'Escape') {
      if (offers.length > 0) close();
      else onText('');
      return true;
    }
    if (offer === undefined) return false;
    if (key === 'ArrowDown') setChosen(chosen === null || chosen === last ? 0 : chosen + 1);
    else if (key === 'ArrowUp') setChosen(chosen === null || chosen === 0 ? last : chosen - 1);
    else if (key === 'Enter' && chosen !== null) take(offer);
    // Tab leaves the field unless an option was chosen.
    else if (key === 'Tab' && chosen !== null) take(offer);
    else return false;
    return true;
  };
  return (
    <form className="relative w-72 grow sm:max-w-[88ch]" onSubmit={(event) => event.preventDefault()}>
      <input
        ref={ref}
        type="search"
        name="q"
        role="combobox"
        aria-label="Filter flows"
        aria-keyshortcuts="/"
        aria-expanded={offers.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={chosen === null ? undefined : `${list}-${chosen}`}
        placeholder="Filter flows"
        title="Press / to filter"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          onText(target.value);
          setCaret(target.selectionStart ?? target.value.length);
          setChosen(null);
        }}
        onClick={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onBlur={close}
        onKeyDown={(event) => {
          if (!event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey && onKey(event.key))
            event.preventDefault();
          else if (event.key === 'ArrowDown') setCaret(event.currentTarget.selectionStart);
          else if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) close();
        }}
        className="min-h-9 w-full rounded-md border border-edge bg-sheet px-2.5 py-1.5 text-ink placeholder:text-ink-3"
      />
      <div
        id={list}
        role="listbox"
        aria-label="Keys and values"
        className={`absolute z-20 mt-1 w-max max-w-full overflow-hidden rounded-md border border-line bg-sheet py-1 shadow-float ${offers.length === 0 ? 'hidden' : ''}`}
      >
        {offers.map((offer, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the chosen one
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's
          <div
            key={offer.word}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === chosen}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(offer)}
            className="flex cursor-default flex-wrap items-baseline gap-x-4 px-3 py-1 hover:bg-sunk aria-selected:bg-blue-tint"
          >
            <span className="min-w-0 font-mono text-xs break-words">{offer.word}</span>
            <span className="ml-auto text-sm text-ink-3">{offer.note}</span>
          </div>
        ))}
      </div>
    </form>
  );
}

function isHints(value: unknown): value is { hints: QueryHints } {
  return typeof value === 'object' && value !== null && 'hints' in value && typeof value.hints === 'object';
}
