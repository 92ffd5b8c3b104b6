'use client';

import { useSearchParams } from 'next/navigation';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { StateIcon, stateText } from '#components/ui/state-mark.tsx';
import { thousands } from '#lib/base/words.ts';
import { kindWords } from '../finding-words.ts';
import { type FindingFilter, type FindingKind, filterOf, findingKinds, queryOf } from './finding-filter.ts';

/** The filter is the address's: a link shows the same. */
export function useFilter(groups: readonly string[]) {
  const query = useSearchParams();
  const initial = filterOf(query, groups);
  // Typed text is shown at once. The address follows after a pause, because browsers limit how often it may change.
  const [text, setText] = useState(initial.text);
  const written = useRef(initial.text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (initial.text !== written.current) setText(initial.text);
    written.current = initial.text;
  }, [initial.text]);
  const show = (filter: FindingFilter) => {
    written.current = filter.text;
    window.history.replaceState(null, '', `${window.location.pathname}${queryOf(filter, window.location.search)}`);
  };
  const setFilter = (filter: FindingFilter, event?: MouseEvent) => {
    // Another tab, a download: the browser's own affair.
    if (event !== undefined && (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) return;
    event?.preventDefault();
    clearTimeout(timer.current);
    if (filter.text === text) return show(filter);
    setText(filter.text);
    timer.current = setTimeout(() => show(filter), 150);
  };
  const hrefOf = (filter: FindingFilter) => queryOf(filter, query.toString()) || '?';
  return { filter: { ...initial, text }, setFilter, hrefOf };
}

export function Toolbar({
  filter,
  groups,
  counts,
  setFilter,
  hrefOf,
}: {
  filter: FindingFilter;
  groups: readonly string[];
  /** Of a kind, among those that the search finds; null: all that are open. */
  counts: (kind: FindingKind | null) => number;
  setFilter: (filter: FindingFilter, event?: MouseEvent) => void;
  hrefOf: (filter: FindingFilter) => string;
}) {
  const takeOver = useTakeOver();
  const look = 'min-h-8 rounded-md border border-edge bg-sheet px-2 py-1 text-sm text-ink placeholder:text-ink-3';
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5">
      <form
        method="get"
        aria-label="Filter the findings"
        className="contents"
        onSubmit={(event) => event.preventDefault()}
      >
        {filter.kind !== null && <input type="hidden" name="state" value={filter.kind} />}
        <input
          type="search"
          name="q"
          aria-label="Filter findings by text"
          placeholder="Node, object, words"
          autoComplete="off"
          spellCheck={false}
          ref={takeOver}
          value={filter.text}
          onChange={(event) => setFilter({ ...filter, text: event.target.value })}
          className={`w-40 max-w-full ${look}`}
        />
        <select
          name="group"
          aria-label="Filter findings by category"
          ref={takeOver}
          autoComplete="off"
          value={filter.group ?? ''}
          onChange={(event) => setFilter({ ...filter, group: event.target.value || null })}
          className={`max-w-full @[960px]:order-last @[960px]:ml-auto @[960px]:w-36 ${look}`}
        >
          <option value="">Category: all</option>
          {groups.map((group) => (
            <option key={group}>{group}</option>
          ))}
        </select>
      </form>
      <nav aria-label="States" className="flex flex-wrap gap-0.5">
        {[null, ...findingKinds].map((kind) => {
          const count = counts(kind);
          const isHere = filter.kind === kind;
          if (kind === 'note' && count === 0 && !isHere) return null;
          return (
            <a
              key={kind ?? 'open'}
              href={hrefOf({ ...filter, kind })}
              aria-current={isHere ? 'true' : undefined}
              onClick={(event) => setFilter({ ...filter, kind }, event)}
              className={`flex min-h-7 items-center gap-1 rounded-md border px-1.5 text-sm font-[560] whitespace-nowrap no-underline hover:bg-sunk aria-[current]:border-edge aria-[current]:bg-sunk ${
                count === 0
                  ? 'border-transparent text-ink-3 @max-[640px]:not-aria-[current]:hidden'
                  : 'border-line text-ink'
              }`}
            >
              {kind !== null && (
                <span className={count === 0 ? 'grayscale' : stateText[kindWords[kind].state]}>
                  <StateIcon state={kindWords[kind].state} />
                </span>
              )}
              {kind === null ? 'Open' : kindWords[kind].word} {thousands(count)}
            </a>
          );
        })}
      </nav>
    </div>
  );
}
