'use client';

import { useRef } from 'react';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { type FilteredCount, filteredWords } from './filtered-words.ts';
import { useSlash } from './use-slash.ts';

/** A filter. Without script it is sent to the server as `q`. `/` focuses it from anywhere on the page, Escape empties it. */
export function FilterField({
  label,
  filter,
  onFilter,
  counts,
}: {
  label: string;
  filter: string;
  onFilter: (filter: string) => void;
  /** Counts of all items and of filtered ones. */
  counts: readonly FilteredCount[];
}) {
  const input = useRef<HTMLInputElement>(null);
  useSlash(input);
  const ref = useTakeOver(input);
  return (
    <form className="flex flex-wrap items-center gap-x-3 gap-y-2" onSubmit={(event) => event.preventDefault()}>
      <input
        ref={ref}
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
        className="min-h-9 w-72 max-w-full rounded-md border border-edge bg-sheet px-2.5 py-1.5 text-ink placeholder:text-ink-3"
      />
      <p role="status" className="text-sm text-ink-2">
        {filteredWords(counts)}
      </p>
    </form>
  );
}
