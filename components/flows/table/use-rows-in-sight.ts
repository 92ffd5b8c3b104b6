import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, useCallback, useEffect, useRef, useState } from 'react';
import { narrowWindow, useWindowIs } from '#components/ui/browser/use-window-is.ts';
import { drawnRows, indexOfFlow, rowAt, withSpaces } from './row-places.ts';

/** px, as in the classes of a row. What an opened one has below it is measured: this is until then. */
const rowHeight = { wide: 36, narrow: 106, body: 320 } as const;

/**
 * Rows of the table that are in sight, and wherever it is scrolled what the opened one has below it, and the one that has the focus with both beside it:
 * the focus is not lost, and Tab leads to the next. Empty until the page's script is alive.
 */
export function useRowsInSight({
  count,
  opened,
  bodyKey,
  asked,
}: {
  count: number;
  /** Place of the flow that is open; below 0: none. */
  opened: number;
  /** Of what it has below it: another flow has another, wherever it stands. */
  bodyKey: string;
  /** What is asked for: anything else begins at its top. */
  asked: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const isNarrow = useWindowIs(narrowWindow);
  const [focused, setFocused] = useState(-1);
  const all = opened < 0 ? count : count + 1;
  const virtual = useVirtualizer<HTMLDivElement, HTMLTableRowElement>({
    count: all,
    getScrollElement: () => box.current,
    estimateSize: (index) =>
      rowAt(index, opened).is === 'body' ? rowHeight.body : isNarrow ? rowHeight.narrow : rowHeight.wide,
    getItemKey: useCallback(
      (index: number) => {
        const { is, place } = rowAt(index, opened);
        return is === 'body' ? bodyKey : place;
      },
      [opened, bodyKey],
    ),
    rangeExtractor: useCallback(
      (range: Range) => {
        const around =
          focused < 0 ? [] : [focused - 1, focused, focused + 1].map((place) => indexOfFlow(place, opened));
        return drawnRows(defaultRangeExtractor(range), opened < 0 ? around : [...around, opened + 1], range.count);
      },
      [focused, opened],
    ),
    overscan: 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are what has to be measured anew
  useEffect(() => virtual.measure(), [virtual, isNarrow]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked is what begins at its top
  useEffect(() => {
    // In braces: what it answers in newer browsers, a promise, would be called as the effect's clean-up.
    box.current?.scrollTo({ top: 0 });
  }, [asked]);
  return {
    box,
    ...withSpaces(virtual.getVirtualItems(), virtual.getTotalSize()),
    measure: virtual.measureElement,
    /** Of the rows: where the focus is. It is kept when the focus goes: a window that is left has it back later. */
    onFocus: ({ target }: FocusEvent) => {
      const row = target.closest('tr[data-index]');
      const at = row instanceof HTMLElement ? rowAt(Number(row.dataset.index), opened) : null;
      if (at?.is === 'flow') setFocused(at.place);
    },
  };
}
