'use client';

import { useEffect, useRef } from 'react';
import { type Filtered, filteredWords } from './filtered-words.ts';
import { isTyping } from './is-typing.ts';

/** Without script it is asked of the server, as `q`. `/` leads to it from anywhere on the page, Escape empties it. */
export function FilterField({
  label,
  filter,
  onFilter,
  counts,
  isWide = false,
}: {
  label: string;
  filter: string;
  onFilter: (filter: string) => void;
  /** What there is, and what the filter leaves of it. */
  counts: readonly Filtered[];
  /** For what is longer than a word or two. */
  isWide?: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <form className="flex flex-wrap items-center gap-x-3 gap-y-2" onSubmit={(event) => event.preventDefault()}>
      <input
        ref={input}
        type="search"
        name="q"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder="Filter by text"
        title="Press / to filter"
        autoComplete="off"
        spellCheck={false}
        value={filter}
        onChange={(event) => onFilter(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onFilter('');
        }}
        className={`min-h-9 max-w-full rounded-md border border-edge bg-sheet px-2.5 py-1.5 text-ink placeholder:text-ink-3 ${isWide ? 'w-72 grow sm:max-w-[88ch]' : 'w-72'}`}
      />
      <p role="status" className="text-sm text-ink-2">
        {filteredWords(counts)}
      </p>
    </form>
  );
}
