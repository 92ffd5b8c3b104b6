'use client';

import { counted } from '#lib/base/words.ts';

export function FilterField({
  filter,
  onFilter,
  all,
  left,
}: {
  filter: string;
  onFilter: (filter: string) => void;
  all: number;
  left: number;
}) {
  return (
    <form className="flex flex-wrap items-center gap-x-3 gap-y-2" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        name="q"
        aria-label="Filter rows by text"
        placeholder="Filter by text"
        autoComplete="off"
        spellCheck={false}
        value={filter}
        onChange={(event) => onFilter(event.target.value)}
        className="min-h-9 w-72 max-w-full rounded-md border border-edge bg-sheet px-2.5 py-1.5 text-ink placeholder:text-ink-3"
      />
      <p role="status" className="text-sm text-ink-2">
        {left === all ? counted(all, 'row') : `${left} of ${counted(all, 'row')}`}
      </p>
    </form>
  );
}
